// Leaving the account settings with unsaved changes asks for confirmation.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createAccount,
  logIn,
  clickAndWaitForText,
  createPerson,
  interfaceTexts,
} from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const settings = "/user-home/user-account-setting";
const path = (page: Page) => new URL(page.url()).pathname;

describe.each(["en", "fr", "ar"] as Language[])(
  "changes that are not saved, in %s",
  (language) => {
    const text = interfaceTexts(language);
    const person = createPerson("Amal Ben Salah");

    async function changed(page: Page) {
      await page.goto(product.address + settings);
      await page.locator("[name=userName]").fill("Somebody Else");
    }

    it("are asked for on the way to another page, back, and at a logout", async () => {
      await createAccount(product, person, language);
      const { context, page, failures } = await openWindow(product, language);
      await logIn(product, page, person);
      await page.getByRole("link", { name: text.accountSettings }).click();
      await page.waitForURL(`**${settings}`);
      const name = page.locator("[name=userName]");
      const catalogue = page.getByRole("link", { name: text.allDocuments });
      const dialog = page.getByRole("dialog", { name: text.leaving.title });
      const stay = dialog.getByRole("button", { name: text.leaving.stay });
      const leave = dialog.getByRole("button", { name: text.leaving.leave });

      await name.fill("Somebody Else");
      await catalogue.click();
      await dialog.waitFor();
      await takeScreenshot(page, `unsaved-${language}`);
      await expect
        .poll(() => stay.evaluate((b) => b.matches(":focus")))
        .toBe(true);
      await stay.click();
      await dialog.waitFor({ state: "detached" });
      expect(path(page)).toBe(settings);
      expect(await name.inputValue()).toBe("Somebody Else");

      // The browser's back button asks too, and Escape means staying.
      await page.evaluate(() => window.history.back());
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => path(page)).toBe(settings);

      await page.getByRole("button", { name: text.logout }).click();
      await dialog.waitFor();
      await stay.click();
      await dialog.waitFor({ state: "detached" });
      expect(path(page)).toBe(settings);
      expect(await name.inputValue()).toBe("Somebody Else");

      await catalogue.click();
      await leave.click();
      await page.waitForURL("**/user-home/user-all-documents");
      await page.getByRole("link", { name: text.accountSettings }).click();
      await expect.poll(() => name.inputValue()).toBe(person.userName);

      await name.fill("Somebody Else");
      await page.getByRole("button", { name: text.logout }).click();
      await leave.click();
      await page.waitForURL("**/login");
      expect(
        await page.evaluate(
          () => window.sessionStorage.length + Number("token" in localStorage),
        ),
      ).toBe(0);
      expect(failures).toEqual([]);
      await context.close();
    });

    it("keep a tab from being closed unasked, and nothing else does", async () => {
      const { context, page } = await openWindow(product, language);
      await logIn(product, page, person);
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      await changed(page);
      await page.close({ runBeforeUnload: true });
      await expect.poll(() => asked).toEqual(["beforeunload"]);
      expect(page.isClosed()).toBe(false);

      // After saving, or after all changes are undone, the tab closes without a question.
      await clickAndWaitForText(
        page,
        () => page.getByRole("button", { name: text.accountPage.save }).click(),
        text.accountPage.updatedSuccess,
      );
      await page.locator("[name=userName]").fill(person.userName);
      await page
        .getByRole("form", { name: text.accountPage.profile, exact: true })
        .getByRole("button", { name: text.cancel })
        .click();
      await page.getByRole("link", { name: text.allDocuments }).click();
      await page.waitForURL("**/user-home/user-all-documents");
      await page.close({ runBeforeUnload: true });
      await expect.poll(() => page.isClosed()).toBe(true);
      expect(asked).toEqual(["beforeunload"]);
      await context.close();
    });
  },
);

it("give the interface its language back when they are given up", async () => {
  const person = createPerson();
  await createAccount(product, person);
  const { context, page } = await openWindow(product, "en");
  await logIn(product, page, person);
  await page.goto(product.address + settings);
  await page
    .getByRole("combobox", { name: interfaceTexts("en").language, exact: true })
    .click();
  await page.getByRole("option", { name: "Français" }).click();
  const text = interfaceTexts("fr");
  await page.getByRole("link", { name: text.allDocuments }).click();
  await page
    .getByRole("dialog", { name: text.leaving.title })
    .getByRole("button", { name: text.leaving.leave })
    .click();
  await page.waitForURL("**/user-home/user-all-documents");
  await page
    .getByRole("link", { name: interfaceTexts("en").allDocuments })
    .waitFor();
  await context.close();
});

it("a draft says when it is stored, and Clear all can be undone", async () => {
  const text = interfaceTexts("en");
  const { context, page } = await openWindow(product, "en");
  page.on("dialog", () => expect.unreachable("a dialog of the browser"));
  await page.goto(`${product.address}/user-home/user-all-documents?lang=en`);
  await page.locator("ul[aria-label] li a").first().click();
  await page.getByRole("link", { name: text.preview.generate }).click();
  const field = page.locator("textarea:not([aria-hidden])").first();
  const stored = page.getByText(text.documentPages.draftSaved);
  await field.waitFor();
  expect(await stored.count()).toBe(0);
  await field.fill("kept");
  await stored.waitFor();
  await page
    .locator("form")
    .getByRole("button", { name: text.form.clear })
    .click();
  await expect.poll(() => field.inputValue()).toBe("");
  await page.getByText(text.documentPages.cleared).waitFor();
  await page.getByRole("button", { name: text.undo, exact: true }).click();
  await expect.poll(() => field.inputValue()).toBe("kept");
  await stored.waitFor();
  await page.reload();
  expect(await field.inputValue()).toBe("kept");
  await context.close();
});
