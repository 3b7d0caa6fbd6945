// The main task in the three languages: catalogue, template, form, result, PDF.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { interfaceTexts } from "./people.ts";
import {
  waitForResult,
  downloadBy,
  takeScreenshot,
  startProduct,
  textOfPdf,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

/** Returns a value for the field with this index: text of the language with a number. All values differ. */
const VALUES: Record<Language, (index: number) => string> = {
  en: (index) => `Harbour Lane ${410 + index}`,
  fr: (index) => `Élise Cœur n° ${510 + index}`,
  ar: (index) => `شارع الميناء رقم ${610 + index}`,
};
const DIRECTION: Record<Language, string> = { en: "ltr", fr: "ltr", ar: "rtl" };
const folded = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\u064b-\u0652]/g, "")
    .replace(/\s+/g, " ");

describe.each(["en", "fr", "ar"] as Language[])(
  "the main job in %s",
  (language) => {
    it("from the catalogue to a PDF that holds what was filled in", async () => {
      const { context, page, failures } = await openWindow(product, language);
      await page.goto(product.address);
      await page.waitForURL("**/user-home/user-all-documents**");
      await page.locator("ul[aria-label] li img").first().waitFor();
      expect(await page.getAttribute("html", "dir")).toBe(DIRECTION[language]);
      expect(await page.getAttribute("html", "lang")).toBe(language);
      await page.waitForFunction(() =>
        [...document.querySelectorAll("li img")]
          .slice(0, 6)
          .every((i) => (i as HTMLImageElement).naturalWidth > 0),
      );
      await takeScreenshot(page, `catalogue-${language}`);

      await page.locator("ul[aria-label] li a").first().click();
      await page.waitForURL("**/user-home/document/**");
      await page.locator("[data-drawn]").first().waitFor();
      await takeScreenshot(page, `preview-${language}`);
      await page.locator("main header a").last().click();

      await page.waitForURL("**/user-home/form-document**");
      const fields = page.locator("textarea:not([aria-hidden])");
      await fields.first().waitFor();
      const count = await fields.count();
      expect(count).toBeGreaterThanOrEqual(8);
      const values = Array.from({ length: count }, (_, index) =>
        VALUES[language](index),
      );
      for (const [index, value] of values.entries())
        await fields.nth(index).fill(value);
      await takeScreenshot(page, `form-${language}`);

      await page.reload();
      expect(
        await fields.first().inputValue(),
        "what was entered survives a reload",
      ).toBe(values[0]);
      await page.locator("button[type=submit]").click();

      await waitForResult(page);
      await takeScreenshot(page, `result-${language}`);
      const { bytes: pdf, name } = await downloadBy(context, page, () =>
        page.locator("main header button").last().click(),
      );
      expect(name).toMatch(/\.pdf$/);
      const text = folded(textOfPdf(pdf));
      const missing = values.filter((value) => !text.includes(folded(value)));
      // A value that wraps in a right-to-left paragraph is extracted line by line, so only its number is
      // compared.
      const lost = missing.filter(
        (value) => !text.includes(/\d+/.exec(value)?.[0] ?? value),
      );
      expect(
        lost,
        `values that are not in the PDF; its text is:\n${text.slice(0, 2000)}`,
      ).toEqual([]);
      expect(missing.length, missing.join(" | ")).toBeLessThanOrEqual(
        count / 4,
      );
      expect(text).not.toContain("{{");

      const [word] = await Promise.all([
        page.waitForEvent("download"),
        page
          .getByRole("button", {
            name: interfaceTexts(language).result.downloadWord,
          })
          .click(),
      ]);
      expect(word.suggestedFilename()).toMatch(/\.docx$/);
      expect(failures).toEqual([]);
      await context.close();
    });
  },
);

/** Generates a document although nothing is filled in, and confirms it. */
async function generateEmpty(page: Page): Promise<void> {
  await page.locator("button[type=submit]").click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: interfaceTexts("en").form.emptyConfirm })
    .click();
}

describe("around the main job", () => {
  it("a field left empty prints a dotted line, or nothing if the form says so", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/user-home/user-all-documents?lang=en`);
    await page.locator("ul[aria-label] li a").first().click();
    await page.getByRole("link", { name: "Fill in this template" }).click();
    const texts: string[] = [];
    for (const blank of [false, true]) {
      if (blank)
        await page
          .getByRole("switch", { name: interfaceTexts("en").form.leaveBlank })
          .check({ force: true });
      await generateEmpty(page);
      await waitForResult(page);
      texts.push(
        textOfPdf(
          (
            await downloadBy(context, page, () =>
              page.locator("main header button").last().click(),
            )
          ).bytes,
        ),
      );
      await page.goto(`${product.address}/user-home/form-document`);
    }
    const dots = texts.map(
      (text) => (text.match(/\.{8,}|…{3,}/g) ?? []).length,
    );
    expect(dots[0]).toBeGreaterThan(dots[1] ?? 0);
    await context.close();
  });

  it("a value of white space alone is empty to the form and to the page", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/user-home/user-all-documents?lang=en`);
    await page.locator("ul[aria-label] li a").first().click();
    await page.getByRole("link", { name: "Fill in this template" }).click();
    const fields = page.locator("textarea:not([aria-hidden])");
    await fields.first().waitFor();
    const dots: number[] = [];
    for (const value of ["", " \u00a0\u200f"]) {
      for (let index = 0; index < (await fields.count()); index += 1)
        await fields.nth(index).fill(value);
      expect(await page.locator("#filled").textContent()).toMatch(/\b0 of/);
      await generateEmpty(page);
      await waitForResult(page);
      const { bytes } = await downloadBy(context, page, () =>
        page.locator("main header button").last().click(),
      );
      dots.push((textOfPdf(bytes).match(/\.{8,}|…{3,}/g) ?? []).length);
      await page.goto(`${product.address}/user-home/form-document`);
    }
    expect(dots[0]).toBeGreaterThan(0);
    expect(dots[1]).toBe(dots[0]);
    await context.close();
  });

  it("the result's header has the pages of the document, not of the template", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/user-home/user-all-documents?lang=en`);
    await page.locator("ul[aria-label] li a").first().click();
    const shown = page.locator("main header [data-pages]");
    const before = Number(await shown.getAttribute("data-pages"));
    await page.getByRole("link", { name: "Fill in this template" }).click();
    const fields = page.locator("textarea:not([aria-hidden])");
    await fields.first().fill("A line of its own.\n".repeat(120));
    await page.locator("button[type=submit]").click();
    await waitForResult(page);
    const pages = Number(
      await page
        .locator("[role=region][data-pages]")
        .getAttribute("data-pages"),
    );
    expect(pages).toBeGreaterThan(before);
    expect(Number(await shown.getAttribute("data-pages"))).toBe(pages);
    await takeScreenshot(page, "result-longer-en");
    await context.close();
  });

  it("counts one use for one generation, however often its screen is opened", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/user-home/user-all-documents?lang=en`);
    const link = page.locator("ul[aria-label] li a").last();
    const id = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
    const answers: number[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/fill-fields"))
        answers.push(response.status());
    });
    await link.click();
    await page.getByRole("link", { name: "Fill in this template" }).click();
    await generateEmpty(page);
    await waitForResult(page);
    await page.reload();
    await waitForResult(page);
    expect(answers.every((status) => status === 200)).toBe(true);
    await expect
      .poll(() => usesOf(id), { timeout: 90_000, interval: 2_000 })
      .toBe(1);
    await context.close();
  });

  async function usesOf(id: string): Promise<number> {
    const answer = await fetch(`${product.address}/api/v1/documents/${id}`);
    return ((await answer.json()) as { document: { usageCount: number } })
      .document.usageCount;
  }

  it("says so and keeps what was entered when the server is gone", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/user-home/user-all-documents?lang=en`);
    await page.locator("ul[aria-label] li a").first().click();
    await page.getByRole("link", { name: "Fill in this template" }).click();
    await page.locator("textarea:not([aria-hidden])").first().fill("kept");
    await context.route("**/fill-fields", (route) => route.abort());
    await page.locator("button[type=submit]").click();
    await page.getByText("The server cannot be reached").waitFor();
    await takeScreenshot(page, "result-offline-en");
    await context.unroute("**/fill-fields");
    await page.getByRole("button", { name: "Try again" }).click();
    await waitForResult(page);
    await page.getByRole("link", { name: "Edit" }).click();
    expect(
      await page.locator("textarea:not([aria-hidden])").first().inputValue(),
    ).toBe("kept");
    await context.close();
  });
});
