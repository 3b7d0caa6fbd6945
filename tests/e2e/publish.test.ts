// An admin signs in and publishes a template. A template with errors is refused, and all its errors are
// shown.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { interfaceTexts } from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Product,
} from "./product.ts";
import { table, writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

async function logIn(page: Page): Promise<void> {
  await page.goto(`${product.address}/documents/create`);
  await page.waitForURL("**/login");
  await page.locator("input[type=email]").fill(product.admin.email);
  await page.locator("input[name=password]").fill(product.admin.password);
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/documents/create");
}

describe("login", () => {
  it.each(["en", "fr", "ar"] as const)(
    "says what is wrong, in words (%s)",
    async (language) => {
      const { context, page } = await openWindow(product, language);
      await page.goto(`${product.address}/login`);
      await page.locator("button[type=submit]").click();
      await page.getByRole("alert").waitFor();
      await takeScreenshot(page, `login-empty-${language}`);
      await page.locator("input[type=email]").fill(product.admin.email);
      await page.locator("input[name=password]").fill("not the password");
      await page.locator("button[type=submit]").click();
      await page
        .getByText(interfaceTexts(language).loginPage.invalidCredentials)
        .waitFor();
      await context.close();
    },
  );
});

describe("publishing", () => {
  it("a template is in the catalogue as soon as it is published", async () => {
    const { context, page, failures } = await openWindow(product, "en");
    await logIn(page);
    // The file is too large for a form, so it is uploaded to its own URL, once for the check and the
    // publication.
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT")
        sent.push(new URL(request.url()).pathname);
    });
    const file = writeDocx(
      product,
      "letter",
      ["Dear {{Client name}},", "we confirm {{Date}}.", "Kind regards"],
      undefined,
      6_000_000,
    );
    await page.locator("input[type=file]").setInputFiles(file);
    await page
      .getByRole("heading", { name: /2 fields/ })
      .first()
      .waitFor();
    await page
      .getByRole("textbox", { name: "Title", exact: true })
      .fill("Letter of the harbour");
    await page
      .getByRole("combobox", { name: "Categories" })
      .pressSequentially("Gen");
    await page.getByRole("option").first().waitFor();
    await takeScreenshot(page, "publish-suggestions-en");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page
      .getByRole("textbox", { name: interfaceTexts("en").publish.keywords })
      .fill("mooring, مرسى");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL("**/documents");
    await page.getByText("Letter of the harbour").waitFor();
    expect(sent).toEqual([expect.stringMatching(/^\/signed\/.*\/uploads\//)]);
    await page.goto(
      `${product.address}/user-home/user-all-documents?title=moor`,
    );
    await page.getByText("Letter of the harbour").waitFor();
    expect(failures).toEqual([]);
    await context.close();
  });

  it.each(["en", "fr", "ar"] as const)(
    "one that is wrong is refused with everything that is wrong (%s)",
    async (language) => {
      const { context, page } = await openWindow(product, language);
      await logIn(page);
      await takeScreenshot(page, `publish-${language}`);
      const file = writeDocx(product, `wrong-${language}`, [
        "Dear {{Client name",
        "}}, see {{}} and {{a|upper}}",
      ]);
      await page.locator("input[type=file]").setInputFiles(file);
      await page.locator("[data-severity=error]").first().waitFor();
      expect(
        await page.locator("[data-severity=error]").count(),
      ).toBeGreaterThanOrEqual(3);
      // Each error is shown at its place, with the wrong character marked.
      await page.locator("mark", { hasText: "|" }).waitFor();
      expect(await page.locator("form button[type=submit]").isDisabled()).toBe(
        true,
      );
      await takeScreenshot(page, `publish-refused-${language}`);
      await context.close();
    },
  );

  it.each(["en", "fr", "ar"] as const)(
    "one for another program is converted, and the conversion can be undone (%s)",
    async (language) => {
      const texts = interfaceTexts(language).publish;
      const { context, page, failures } = await openWindow(product, language);
      await logIn(page);
      const file = writeDocx(product, `other-${language}`, [
        "Dear {client},",
        table([["{#items}{name}", "{price | euro}{/items}"]]),
      ]);
      await page.locator("input[type=file]").setInputFiles(file);
      await page
        .getByText(texts.writtenFor.replace("{{program}}", "docxtemplater"))
        .waitFor();
      await page.locator("[data-severity=error]").first().waitFor();
      await takeScreenshot(page, `publish-other-program-${language}`);
      await page.getByRole("button", { name: texts.convert }).click();
      await page.getByText(texts.converted, { exact: true }).waitFor();
      await page.locator("code", { hasText: "{price | euro}" }).waitFor();
      await takeScreenshot(page, `publish-converted-${language}`);
      await page.getByRole("button", { name: texts.undoConversion }).click();
      await page.getByRole("button", { name: texts.convert }).waitFor();
      expect(failures).toEqual([]);
      await context.close();
    },
  );

  it.each([
    ["en", "Residential Tenancy Agreement"],
    ["fr", "Bail d’habitation"],
    ["ar", "عقد إيجار سكني"],
  ] as const)(
    "title and language follow the file, and an identical title is warned of (%s)",
    async (language, known) => {
      const texts = interfaceTexts(language);
      const { context, page, failures } = await openWindow(product, language);
      await logIn(page);
      const title = page.getByRole("textbox", {
        name: texts.publish.documentTitle,
        exact: true,
      });
      const chosenLanguage = page
        .locator("aside")
        .getByRole("combobox", { name: texts.language, exact: true });
      const read = page.getByText(texts.publish.languageRead);
      const choose = (path: string) =>
        page.locator("#template-file").setInputFiles(path);

      await choose(
        writeDocx(
          product,
          `lettre_de_${language}`,
          ["Madame, Monsieur, {{Nom du client}},", "nous vous remercions."],
          "fr",
        ),
      );
      await read.waitFor();
      expect(await title.inputValue()).toBe(`lettre de ${language}`);
      const french = await chosenLanguage.inputValue();
      await choose(
        writeDocx(
          product,
          `letter_of_${language}`,
          ["Dear {{Client name}},", "we thank you for the payment."],
          "en",
        ),
      );
      await expect.poll(() => title.inputValue()).toBe(`letter of ${language}`);
      await read.waitFor();
      expect(await chosenLanguage.inputValue()).not.toBe(french);
      await page
        .getByRole("button", { name: texts.publish.removeFile })
        .click();
      expect(await title.inputValue()).toBe("");
      expect(await chosenLanguage.inputValue()).toBe("");

      // A title that the admin has entered stays.
      await title.fill(known);
      const note = page
        .getByRole("status")
        .filter({ hasText: texts.publish.sameTitle });
      await note.getByRole("link", { name: known }).waitFor();
      await takeScreenshot(page, `publish-same-title-${language}`, true);
      expect(failures).toEqual([]);
      await context.close();
    },
  );

  it("other files and large ones are refused before they are sent", async () => {
    const { context, page } = await openWindow(product, "en");
    await logIn(page);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    const old = join(product.folder, "old.doc");
    writeFileSync(old, "x");
    await page.locator("input[type=file]").setInputFiles(old);
    await page.getByText(interfaceTexts("en").publish.otherWord).waitFor();
    const large = join(product.folder, "large.docx");
    writeFileSync(large, Buffer.alloc(20_000_001));
    await page.locator("input[type=file]").setInputFiles(large);
    await page.getByText("at most 20 MB").first().waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Please enter a title and choose a file.").waitFor();
    expect(sent).toEqual([]);
    await context.close();
  });
});
