// Tests of the catalogue: finding a template by mouse, keyboard and screen reader, in both text directions.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { interfaceTexts } from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const cards = (page: Page) => page.locator("ul[aria-label] li");
/**
 * Returns the title of the first card. Other parts of the card, such as category names and use counts, may
 * load later.
 */
const firstTitle = (page: Page) =>
  cards(page).first().locator("h2").textContent();
const catalogue = () => `${product.address}/user-home/user-all-documents`;

describe("the catalogue", () => {
  it("searches whatever the accents, and the address keeps the search", async () => {
    const { context, page } = await openWindow(product, "fr");
    await page.goto(`${catalogue()}?lang=fr`);
    await cards(page).first().waitFor();
    await page.locator("body").press("/");
    await page.keyboard.type("DEMISSION");
    await expect.poll(() => cards(page).count()).toBe(1);
    expect((await cards(page).first().textContent())?.toLowerCase()).toContain(
      "démission",
    );
    await page.locator("ul[aria-label] li a").first().click();
    await page.waitForURL("**/document/**");
    await page.goBack();
    await expect.poll(() => cards(page).count()).toBe(1);
    await page.keyboard.press("/");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("zzzz");
    await page.getByText("Aucun modèle").first().waitFor();
    await takeScreenshot(page, "catalogue-empty-fr");
    await context.close();
  });

  it.each([
    ["en", "loyer", "Residential Tenancy Agreement", "invioce", "invoice"],
    ["fr", "rent", "Bail d’habitation", "facutre", "facture"],
    ["ar", "lease", "عقد إيجار سكني", "فاتوة", "فاتورة"],
  ] as const)(
    "in %s finds what is meant, and offers something where nothing is found",
    async (language, foreign, lease, mistyped, meant) => {
      const { context, page, failures } = await openWindow(product, language);
      await page.goto(`${catalogue()}?lang=${language}&cat=housing`);
      await cards(page).first().waitFor();
      const search = page.locator("[role=search] input").first();
      await search.fill(foreign);
      await expect.poll(() => cards(page).count()).toBe(1);
      expect(await cards(page).locator("h2").textContent()).toBe(lease);

      await page.goto(`${catalogue()}?lang=${language}`);
      await cards(page).first().waitFor();
      await search.fill(mistyped);
      const offered = page
        .locator("main p", {
          hasText: interfaceTexts(language).catalogue.didYouMean,
        })
        .getByRole("link", { name: meant, exact: true });
      await offered.waitFor();
      await takeScreenshot(page, `catalogue-meant-${language}`);
      await offered.click();
      await expect.poll(() => cards(page).count()).toBe(1);
      expect(await search.inputValue()).toBe(meant);

      // The catalogue has invoices, but not in the category housing.
      await page.goto(
        `${catalogue()}?lang=${language}&cat=housing&title=invoice`,
      );
      const everywhere = page.getByRole("button", {
        name:
          interfaceTexts(language).catalogue.searchEverywhere_other.split(
            "{{",
          )[0] ?? "",
      });
      await everywhere.waitFor();
      await takeScreenshot(page, `catalogue-elsewhere-${language}`);
      await everywhere.click();
      await expect.poll(() => cards(page).count()).toBe(3);
      expect(await search.inputValue()).toBe("invoice");
      expect(failures).toEqual([]);
      await context.close();
    },
  );

  it.each(["en", "fr", "ar"] as const)(
    "loads by itself when the network is back (%s)",
    async (language) => {
      const { context, page } = await openWindow(product, language);
      await page.goto(`${catalogue()}?lang=${language}`);
      await cards(page).first().waitFor();
      await context.setOffline(true);
      await page
        .locator("[role=search] input")
        .first()
        .fill(language === "ar" ? "عقد" : "a");
      const failed = page.getByText(interfaceTexts(language).catalogue.failed);
      await failed.waitFor();
      await takeScreenshot(page, `catalogue-offline-${language}`);
      await context.setOffline(false);
      await failed.waitFor({ state: "detached" });
      await cards(page).first().waitFor();
      await context.close();
    },
  );

  it("does not open the list of countries for a focus that passes by", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(catalogue());
    await cards(page).first().waitFor();
    const country = page.locator("header input").first();
    await country.focus();
    expect(await country.getAttribute("aria-expanded")).toBe("false");
    await country.press("ArrowDown");
    await page.getByRole("option").first().waitFor();
    await country.press("Escape");
    await country.pressSequentially("jap");
    await page.getByRole("option", { name: "Japan" }).waitFor();
    await context.close();
  });

  it("says in each language that it needs JavaScript", async () => {
    const context = await product.browser.newContext({
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    await page.goto(catalogue());
    for (const lang of ["en", "fr", "ar"]) {
      const text = page.locator(`noscript p[lang=${lang}]`);
      expect(await text.isVisible()).toBe(true);
      expect(await text.textContent()).toContain("JavaScript");
    }
    await takeScreenshot(page, "no-javascript");
    await context.close();
  });

  it("shows templates of the chosen country and of none, until the chip is taken off", async () => {
    const { context, page } = await openWindow(product, "fr");
    await page.goto(`${catalogue()}?lang=fr`);
    await cards(page).first().waitFor();
    const all = await cards(page).count();
    await page.locator("header input").first().click();
    await page.keyboard.type("japon");
    await page.getByRole("option", { name: "Japon" }).click();
    await expect.poll(() => cards(page).count()).toBeLessThan(all);
    await page.locator("button", { hasText: "Japon" }).click();
    await expect.poll(() => cards(page).count()).toBe(all);
    await context.close();
  });

  it.each(["en", "fr", "ar"] as const)(
    "in %s names a template's country, and notes that the law elsewhere may differ",
    async (language) => {
      const { context, page, failures } = await openWindow(product, language);
      const egypt =
        new Intl.DisplayNames([language], { type: "region" }).of("EG") ?? "";
      await page.goto(
        `${catalogue()}?lang=ar&title=${encodeURIComponent("عقد إيجار")}`,
      );
      await cards(page).first().waitFor();
      await expect
        .poll(() => cards(page).first().textContent())
        .toContain(egypt);
      await takeScreenshot(page, `catalogue-country-${language}`);
      await cards(page).first().getByRole("link").first().click();
      const note = page.getByRole("note");
      await expect.poll(() => note.textContent()).toContain(egypt);
      await takeScreenshot(page, `preview-country-${language}`);
      await page
        .getByRole("link", { name: interfaceTexts(language).preview.generate })
        .click();
      await page.waitForURL("**/form-document?**");
      await expect.poll(() => note.textContent()).toContain(egypt);
      await takeScreenshot(page, `form-country-${language}`);
      // Visitors from that country do not need the note.
      await page.evaluate(() => localStorage.setItem("country", "EG"));
      await page.reload();
      await page.getByText(egypt).filter({ visible: true }).first().waitFor();
      expect(await note.count()).toBe(0);
      expect(failures).toEqual([]);
      await context.close();
    },
  );

  it("switches language and direction at once, without a reload", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(catalogue());
    await cards(page).first().waitFor();
    await page.evaluate(
      () => ((window as unknown as { mark: number }).mark = 1),
    );
    await page
      .getByRole("combobox", { name: "Site language" })
      .or(page.getByRole("textbox", { name: "Site language" }))
      .click();
    await page.getByRole("option", { name: "العربية" }).click();
    await expect.poll(() => page.getAttribute("html", "dir")).toBe("rtl");
    expect(
      await page.evaluate(() => (window as unknown as { mark?: number }).mark),
    ).toBe(1);
    await page.reload();
    await expect.poll(() => page.getAttribute("html", "dir")).toBe("rtl");
    await context.close();
  });

  it.each([
    ["en", "ArrowRight"],
    ["ar", "ArrowLeft"],
  ] as const)(
    "arrow keys move between cards as they lie (%s)",
    async (language, forward) => {
      const { context, page } = await openWindow(product, language);
      await page.goto(`${catalogue()}?lang=${language}`);
      const links = page.locator("ul[aria-label] li a");
      await links.first().focus();
      await page.keyboard.press(forward);
      expect(
        await links.nth(1).evaluate((link) => link === document.activeElement),
      ).toBe(true);
      await takeScreenshot(page, `catalogue-focus-${language}`);
      await context.close();
    },
  );

  it.each(["en", "fr", "ar"] as const)(
    "shows the templates in %s first to people who read it, and drops an unknown language from the address",
    async (language) => {
      const { context, page } = await openWindow(product, language);
      await page.goto(`${catalogue()}?lang=zz`);
      await cards(page).first().waitFor();
      await expect.poll(() => page.url()).not.toContain("zz");
      const { total } = (await (
        await fetch(
          `${product.address}/api/v1/documents?limit=1&lang=${language}`,
        )
      ).json()) as { total: number };
      const own = Math.min(total, 12);
      expect(own).toBeGreaterThan(0);
      const languages = await cards(page)
        .locator("h2")
        .evaluateAll((titles) =>
          titles.map((title) => title.closest("[lang]")?.getAttribute("lang")),
        );
      expect(languages.slice(0, own)).toEqual(Array(own).fill(language));
      await context.close();
    },
  );

  it("pages: previous and next end at the ends, and a page out of range leads to the first", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${catalogue()}?lang=all`);
    await cards(page).first().waitFor();
    expect(await cards(page).count()).toBe(12);
    const previous = page.getByRole("button", { name: "Previous page" });
    const next = page.getByRole("button", { name: "Next page" });
    const first = await firstTitle(page);
    expect(await previous.isDisabled()).toBe(true);
    await next.click();
    await expect.poll(() => firstTitle(page)).not.toBe(first);
    expect(page.url()).toContain("page=2");
    const { total } = (await (
      await fetch(`${product.address}/api/v1/documents?limit=1`)
    ).json()) as { total: number };
    const pages = Math.ceil(total / 12);
    await page.goto(`${catalogue()}?lang=all&page=${pages}`);
    await cards(page).first().waitFor();
    expect(await cards(page).count()).toBe(total - 12 * (pages - 1));
    expect(await next.isDisabled()).toBe(true);
    await previous.click();
    await page.waitForURL(`**page=${pages - 1}`);
    for (const invalid of [String(pages + 1), "99999", "0", "-1", "x"]) {
      await page.goto(`${catalogue()}?lang=all&page=${invalid}`);
      await expect.poll(() => firstTitle(page)).toBe(first);
      expect(await previous.isDisabled()).toBe(true);
    }
    await context.close();
  });

  it("the categories take at most a fifth of the window's height", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${catalogue()}?lang=all`);
    await cards(page).first().waitFor();
    await page
      .getByRole("search")
      .getByRole("button", {
        name: interfaceTexts("en").catalogue.categories,
      })
      .click();
    const area = page
      .getByRole("dialog")
      .locator(".mantine-ScrollArea-viewport");
    await area.waitFor();
    for (const height of [900, 600]) {
      await page.setViewportSize({ width: 1366, height });
      await expect
        .poll(async () => (await area.boundingBox())?.height ?? Infinity)
        .toBeLessThanOrEqual(height / 5);
    }
    await page.keyboard.press("Tab");
    await takeScreenshot(page, "catalogue-categories-en");
    await context.close();
  });

  it("is as it was left when a template's page leads back: search, filters and page", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${catalogue()}?lang=all&sort=oldest`);
    await cards(page).first().waitFor();
    const before = await firstTitle(page);
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => firstTitle(page)).not.toBe(before);
    const first = await firstTitle(page);
    await page.locator("ul[aria-label] li a").first().click();
    await page.getByRole("link", { name: "Fill in this template" }).click();
    await page
      .getByRole("link", {
        name: interfaceTexts("en").form.template,
        exact: true,
      })
      .click();
    await page
      .locator("main header")
      .getByRole("link", { name: "All documents" })
      .click();
    await page.waitForURL("**page=2");
    expect(new URL(page.url()).search).toContain("sort=oldest");
    await expect.poll(() => firstTitle(page)).toBe(first);
    await context.close();
  });

  it("keeps to its own pages what a phone is shown", async () => {
    const context = await product.browser.newContext({
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await page.goto(catalogue());
    await page.getByText("not available on mobile").waitFor();
    await takeScreenshot(page, "mobile-en");
    await context.close();
  });
});
