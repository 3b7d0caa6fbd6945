// Keyboard tests: the focused element is always visible, and keys have no unexpected effects.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createAccount,
  callApi,
  logIn,
  clickAndWaitForText,
  interfaceTexts,
} from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const catalogue = () => `${product.address}/user-home/user-all-documents`;

/**
 * Describes the focused element if it is not fully visible: covered by a sticky element, or outside the
 * window.
 */
const hidden = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    // The visible part of a switch is its track, next to the input in the same label.
    const seen = element.closest("[class*=Switch-body]") ?? element;
    const { left, width, top, bottom, height } = seen.getBoundingClientRect();
    // An element taller than the window can never be fully visible.
    if (height > window.innerHeight) return null;
    const covered = [top + 2, (top + bottom) / 2, bottom - 2].some((y) => {
      const hit = document.elementFromPoint(left + width / 2, y);
      return !hit || !(seen.contains(hit) || hit.contains(seen));
    });
    return covered
      ? `${element.tagName} ${element.textContent || (element as HTMLInputElement).name} at ${Math.round(top)} to ${Math.round(bottom)}`
      : null;
  });

describe("what has the keyboard is seen (WCAG 2.4.11)", () => {
  it.each([
    ["en", 1366, 900],
    ["ar", 1280, 600],
    // 1280 × 1024 and 1280 × 720 at 400 % zoom.
    ["en", 320, 256],
    ["fr", 320, 180],
  ] as const)(
    "through the form, %s, %i × %i",
    async (language, width, height) => {
      const { context, page } = await openWindow(product, language);
      await page.setViewportSize({ width, height });
      await page.goto(`${catalogue()}?lang=${language}`);
      await page.locator("ul[aria-label] li a").first().click();
      await page.locator("main header a").last().click();
      const fields = page.locator("textarea:not([aria-hidden])");
      await fields.first().waitFor();
      await page.locator("[data-drawn]").first().waitFor();
      const steps = (await fields.count()) + 1;
      await fields.first().focus();
      const lost: string[] = [];
      for (const key of ["Tab", "Shift+Tab"]) {
        for (let step = 0; step < steps; step += 1) {
          await page.keyboard.press(key);
          const found = await hidden(page);
          if (found) lost.push(`${key} ${step}: ${found}`);
        }
      }
      await takeScreenshot(page, `form-tabbed-${language}-${width}x${height}`);
      expect(lost).toEqual([]);
      await context.close();
    },
  );

  it.each([
    [1366, 700],
    [320, 256],
  ])(
    "/ shows the search box, wherever the page is scrolled (%i × %i)",
    async (width, height) => {
      const { context, page } = await openWindow(product, "en");
      await page.setViewportSize({ width, height });
      await page.goto(`${catalogue()}?lang=all`);
      await page.locator("ul[aria-label] li").nth(11).waitFor();
      const { search } = interfaceTexts("en").catalogue;
      const box = page.getByRole("textbox", { name: search });
      const top = (await box.boundingBox())?.y ?? 0;
      // The search box is just behind the bar, or far from it.
      for (const to of [top - 20, top + 20, 1_000_000]) {
        await page.evaluate(() =>
          (document.activeElement as HTMLElement).blur(),
        );
        await page.evaluate((y) => window.scrollTo(0, y), to);
        await page.keyboard.press("/");
        expect(
          await box.evaluate((input) => input === document.activeElement),
        ).toBe(true);
        expect(await hidden(page), `scrolled to ${to}`).toBeNull();
      }
      await context.close();
    },
  );
});

describe("Enter in Categories", () => {
  it("picks or adds a category and never publishes the template", async () => {
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, product.admin);
    await page.goto(`${product.address}/documents/create`);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/documents/file")) sent.push(request.url());
    });
    const file = join(product.folder, "any.docx");
    writeFileSync(file, "not looked at before it is sent");
    await page.locator("input[type=file]").setInputFiles(file);
    const input = page.getByRole("combobox", {
      name: interfaceTexts("en").publish.categories,
    });
    await input.fill("Harbour matters");
    await input.press("Enter");
    expect(await input.inputValue()).toBe("Harbour matters,");
    // The input has no text in progress, so Enter adds nothing.
    await input.press("Escape");
    await input.press("Enter");
    expect(await input.inputValue()).toBe("Harbour matters,");
    await input.pressSequentially(" gen");
    await page.getByRole("option").first().waitFor();
    await input.press("Enter");
    expect((await input.inputValue()).toLowerCase()).toBe(
      "harbour matters, general,",
    );
    expect(sent).toEqual([]);
    // Tab accepts the text in progress; without any, it moves the focus on.
    await input.press("Tab");
    expect(await input.evaluate((box) => box === document.activeElement)).toBe(
      false,
    );
    await context.close();
  });
});

describe("Escape in the dialog of a session that has ended", () => {
  it("keeps the page and what was entered there, and the next Save asks again", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const changed = "Elsewhere-changed-1";
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.getByRole("link", { name: text.accountSettings }).click();
    const name = page.locator("[name=userName]");
    await name.fill("Not yet saved");
    await callApi(
      product,
      "POST",
      "/auth/change-password",
      { oldPassword: person.password, newPassword: changed },
      person.token,
    );
    const save = page.getByRole("button", {
      name: text.accountPage.save,
      exact: true,
    });
    await save.click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=password]").waitFor();
    await takeScreenshot(page, "session-ended-settings-en");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(
      "/user-home/user-account-setting",
    );
    expect(await name.inputValue()).toBe("Not yet saved");
    await save.click();
    await dialog.getByRole("button", { name: text.session.later }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Not yet saved");
    await save.click();
    await dialog.locator("[name=password]").fill(changed);
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
    await clickAndWaitForText(
      page,
      () => save.click(),
      text.accountPage.updatedSuccess,
    );
    await context.close();
  });
});
