// A user makes a private template of their own contract, fills it in, changes it and deletes it. Nobody else sees it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import {
  callApi,
  clickAndWaitForText,
  createAccount,
  interfaceTexts,
  logIn,
} from "./people.ts";
import {
  downloadBy,
  openWindow,
  startProduct,
  takeScreenshot,
  textOfPdf,
  waitForResult,
  type Product,
} from "./product.ts";
import { writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const LINE = "____________________";
const LABELS = {
  en: ["Client name", "Project title", "Place of signature"],
  ar: ["اسم العميل", "عنوان المشروع", "مكان التوقيع"],
} as const;

function writeContract(language: "en" | "ar"): string {
  const right = language === "ar";
  const paragraph = (text: string) =>
    `<w:p><w:pPr>${right ? "<w:bidi/>" : ""}</w:pPr><w:r><w:rPr>${right ? "<w:rtl/>" : ""}<w:lang w:val="${language}" w:bidi="${language}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  return writeDocx(
    product,
    `own-contract-${language}`,
    LABELS[language].map((label) => paragraph(`${label}: ${LINE}`)),
  );
}

const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
const cards = (page: Page) => page.locator("main ul[aria-label] > li");
const pathOf = (page: Page) => new URL(page.url()).pathname;

interface TemplateList {
  data: { _id: string; title: string }[];
  total: number;
}

async function listOf(token: string): Promise<TemplateList> {
  const { body } = await callApi(
    product,
    "GET",
    "/my-templates",
    undefined,
    token,
  );
  return body as unknown as TemplateList;
}

describe.each(["en", "ar"] as const)(
  "a private template, in %s",
  (language) => {
    const texts = interfaceTexts(language);
    const own = texts.ownTemplates;

    it("is made, filled in, saved, edited, duplicated and deleted", async () => {
      const person = await createAccount(product, undefined, language);
      const other = await createAccount(product, undefined, language);
      const { context, page, failures } = await openWindow(product, language);
      await logIn(product, page, person);
      await page.getByRole("link", { name: texts.myTemplates }).click();
      await page.getByText(own.empty).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      await takeScreenshot(page, `my-templates-empty-${language}`);

      // A contract with blanks becomes a template in the editor of the admins.
      await page.getByRole("link", { name: own.create }).click();
      await page
        .locator("#template-file")
        .setInputFiles(writeContract(language));
      await button(page, texts.marking.open).click();
      const editor = page.getByRole("dialog");
      await editor.locator("input[data-name]").nth(2).waitFor();
      await editor.locator("button", { hasText: /3|٣/ }).first().click();
      await expect
        .poll(() => editor.locator("li input[type=checkbox]:checked").count())
        .toBe(3);
      await button(page, texts.marking.apply).click();
      await editor.waitFor({ state: "detached" });
      await page.getByRole("heading", { name: /3|٣/ }).first().waitFor();
      expect(
        await page
          .getByRole("combobox", { name: texts.publish.categories })
          .count(),
      ).toBe(0);
      const title = page.getByRole("textbox", {
        name: texts.publish.documentTitle,
        exact: true,
      });
      await title.fill("Quay contract");
      expect(await accessibilityViolations(page)).toEqual([]);
      await takeScreenshot(page, `my-template-form-${language}`, true);
      await button(page, own.save).click();
      await page.waitForURL("**/my-templates");
      await expect.poll(() => cards(page).count()).toBe(1);
      await cards(page).locator("img").first().waitFor();
      await takeScreenshot(page, `my-templates-${language}`);
      const [created] = (await listOf(person.token)).data;
      const id = created?._id ?? "";

      // It is filled in like any other template, with live pages.
      await page
        .getByRole("link", {
          name: own.fillOf.replace("{{title}}", "Quay contract"),
        })
        .click();
      await page.waitForURL("**/user-home/form-document**");
      const fields = page.locator("textarea:not([aria-hidden])");
      await fields.nth(2).waitFor();
      for (const [index, value] of ["Mole 1", "Mole 2", "Mole 3"].entries())
        await fields.nth(index).fill(value);
      await page
        .locator(".textLayer", { hasText: "Mole 3" })
        .first()
        .waitFor({ state: "attached" });
      await takeScreenshot(page, `my-template-fill-${language}`);
      await page.locator("main button[type=submit]").click();
      await waitForResult(page);
      const { bytes } = await downloadBy(context, page, () =>
        button(page, texts.result.downloadPdf).click(),
      );
      expect(textOfPdf(bytes)).toContain("Mole 3");
      await button(page, texts.result.save).click();
      await page.waitForURL("**/user-documents/*");
      await page.getByRole("heading", { name: "Quay contract" }).waitFor();

      // The saved document can be changed, too.
      await page.goto(
        `${product.address}/user-home/form-document?saved=${pathOf(page).split("/").at(-1)}`,
      );
      await fields.first().waitFor();
      await fields.first().fill("Mole 9");
      await page
        .locator(".textLayer", { hasText: "Mole 9" })
        .first()
        .waitFor({ state: "attached" });
      await page.locator("main button[type=submit]").click();
      await waitForResult(page);
      await button(page, texts.result.save).click();
      await page.waitForURL("**/user-documents/*");

      // The template is edited, duplicated and deleted.
      await page.goto(`${product.address}/my-templates`);
      await page
        .getByRole("link", {
          name: texts.saved.editOf.replace("{{title}}", "Quay contract"),
        })
        .click();
      await page.waitForURL("**/my-templates/create?edit=**");
      await title.fill("Pier contract");
      await button(page, own.save).click();
      await page.waitForURL("**/my-templates");
      await page.getByRole("heading", { name: "Pier contract" }).waitFor();
      const openMenu = (name: string) =>
        button(page, texts.saved.more.replace("{{title}}", name)).click();
      const choose = (name: string) =>
        page.getByRole("menuitem", { name }).click();
      await openMenu("Pier contract");
      await clickAndWaitForText(
        page,
        () => choose(texts.saved.duplicate),
        own.duplicated,
      );
      await expect.poll(() => cards(page).count()).toBe(2);
      await page
        .getByRole("status")
        .filter({ hasText: /2.*50/ })
        .first()
        .waitFor();
      await takeScreenshot(page, `my-templates-two-${language}`);

      // Another account, a guest and the catalogue do not have it.
      expect((await listOf(other.token)).total).toBe(0);
      for (const token of [other.token, undefined]) {
        const { status } = await callApi(
          product,
          "GET",
          `/my-templates/${id}`,
          undefined,
          token,
        );
        expect(status).toBe(token ? 404 : 401);
      }
      const { body } = await callApi(
        product,
        "GET",
        `/documents?title=${encodeURIComponent("Pier contract")}`,
      );
      expect(body).toMatchObject({ data: [], total: 0 });

      await openMenu("Pier contract");
      await choose(texts.saved.delete);
      const dialog = page.getByRole("dialog", { name: /Pier contract/ });
      await takeScreenshot(page, `my-templates-delete-${language}`);
      await clickAndWaitForText(
        page,
        () =>
          dialog
            .getByRole("button", { name: texts.saved.delete, exact: true })
            .click(),
        own.deleted,
      );
      await expect.poll(() => cards(page).count()).toBe(1);
      await page.reload();
      await expect.poll(() => cards(page).count()).toBe(1);

      // The saved document stays.
      await page.getByRole("link", { name: texts.saved.title }).click();
      await page.getByRole("heading", { name: "Quay contract" }).waitFor();
      expect(failures).toEqual([]);
      await context.close();

      const others = await openWindow(product, language);
      await logIn(product, others.page, other);
      await others.page.goto(`${product.address}/my-templates`);
      await others.page.getByText(own.empty).waitFor();
      await others.context.close();
    });

    it("needs a login", async () => {
      const { context, page } = await openWindow(product, language);
      for (const path of [
        "/my-templates",
        "/my-templates/create",
        "/user-home/form-document?document=my-01arz3ndektsv4rrffq69g5fav",
      ]) {
        await page.goto(product.address + path);
        await page.waitForURL("**/login");
      }
      await context.close();
    });
  },
);
