// Tests of derived fields: an admin declares them, and the form computes their values during typing, without
// the server.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { logIn, interfaceTexts } from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Product,
} from "./product.ts";
import { writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

interface Case {
  language: "fr" | "ar";
  title: string;
  /** The template's fields: two amounts, their sum, and the sum in words. */
  fields: [string, string, string, string];
  currency: string;
  amounts: [string, string];
  /** 1250.5 typed on the keypad, and 12500.75 pasted. */
  typed: [string, string];
  sum: string;
  inWords: string;
  /** The sum in words after one amount was cleared. */
  fewer: string;
}

const CASES: Case[] = [
  {
    language: "fr",
    title: "Bail d’essai",
    fields: ["Loyer", "Charges", "Montant total", "Montant total en lettres"],
    currency: "EUR",
    amounts: ["4 500 €", "80,50"],
    typed: ["1\u00a0250,5", "12\u00a0500,75"],
    sum: "4\u00a0580,50",
    inWords: "quatre-mille-cinq-cent-quatre-vingts euros et cinquante centimes",
    fewer: "quatre-mille-cinq-cents euros",
  },
  {
    language: "ar",
    title: "عقد تجريبي",
    fields: [
      "مبلغ الإيجار",
      "مبلغ الخدمات",
      "المبلغ الإجمالي",
      "المبلغ بالحروف",
    ],
    currency: "SAR",
    amounts: ["٢٬٠٠٠ ريال", "12"],
    typed: ["1,250.5", "12,500.75"],
    sum: "2,012.00",
    inWords: "ألفان واثنا عشر ريالًا سعوديًا",
    fewer: "ألفا ريال سعودي",
  },
];

describe.each(CASES)("derived fields ($language)", (one) => {
  it("are declared by an admin and said while others are typed", async () => {
    const { language, title, fields } = one;
    const [first, second, total, inWords] = fields;
    const texts = interfaceTexts(language);
    const { context, page, failures } = await openWindow(product, language);
    await logIn(product, page, product.admin);
    await page.goto(`${product.address}/documents/create`);
    const paragraphs = [
      `{{${first}}}, {{${second}}}`,
      `{{${total}}}`,
      `{{${inWords}}}`,
    ];
    const file = writeDocx(
      product,
      `derived-${language}`,
      paragraphs,
      undefined,
    );
    await page.locator("input[type=file]").setInputFiles(file);
    const editor = page.getByRole("region", { name: texts.fieldEditor.title });
    await editor.waitFor();
    await page
      .getByRole("textbox", { name: texts.publish.documentTitle, exact: true })
      .fill(title);
    const declare = async (field: string, kind: "sum" | "amount_in_words") => {
      const line = editor.locator("li").filter({
        has: page.locator(`summary bdi`, {
          hasText: new RegExp(`^${field}$`),
        }),
      });
      await line.locator("summary").click();
      await line
        .getByRole("combobox", { name: texts.derivation.title })
        .click();
      await page
        .getByRole("option", { name: texts.derivation.kinds[kind] })
        .click();
      return line;
    };
    const sum = await declare(total, "sum");
    const summands = sum.getByRole("combobox", {
      name: texts.derivation.ofAmounts,
    });
    await summands.waitFor();
    await declare(inWords, "amount_in_words");
    await takeScreenshot(page, `derived-editor-${language}`, true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.close();

    // The rest uses the API. Its own tests cover how derivations are stored.
    const login = await fetch(`${product.address}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        email: product.admin.email,
        password: product.admin.password,
      }),
    });
    const { token } = (await login.json()) as { token: string };
    const form = new FormData();
    form.set("title", title);
    form.set("language", language);
    const { readFileSync } = await import("node:fs");
    form.set("file", new Blob([readFileSync(file)]), "derived.docx");
    form.set(
      "fieldHelp",
      JSON.stringify([
        {
          field: total,
          derivation: {
            kind: "sum",
            of: [first, second],
            currency: one.currency,
          },
        },
        {
          field: inWords,
          derivation: {
            kind: "amount_in_words",
            of: total,
            currency: one.currency,
          },
        },
      ]),
    );
    const published = await fetch(`${product.address}/api/v1/documents/file`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(published.status).toBe(201);
    const { document } = (await published.json()) as {
      document: { _id: string };
    };

    const filling = await context.newPage();
    await filling.goto(
      `${product.address}/user-home/form-document?document=${document._id}`,
    );
    const input = (name: string) =>
      filling.getByRole("textbox", { name, exact: true });
    await filling.locator("[data-page='0'] canvas").waitFor();
    // The decimal key of the keypad and a pasted number give the separators of the template's language.
    await input(first).click();
    await filling.keyboard.type("1250");
    await filling.keyboard.press("Shift+NumpadDecimal");
    await filling.keyboard.type("5");
    expect(await input(first).inputValue()).toBe(one.typed[0]);
    await input(first).fill("");
    await filling.keyboard.insertText("12500.75");
    expect(await input(first).inputValue()).toBe(one.typed[1]);

    // From here on the browser is offline.
    await context.setOffline(true);
    await input(first).fill(one.amounts[0]);
    await input(second).fill(one.amounts[1]);
    await expect.poll(() => input(total).inputValue()).toBe(one.sum);
    await expect.poll(() => input(inWords).inputValue()).toBe(one.inWords);
    await expect
      .poll(async () =>
        (
          (await filling.locator("[data-page='0']").textContent()) ?? ""
        ).replace(/\s+/g, " "),
      )
      .toContain(one.inWords.split(" ")[0]);
    await takeScreenshot(filling, `derived-form-${language}`);
    expect(await accessibilityViolations(filling)).toEqual([]);

    // A source that cannot be read leaves the derived field empty, with a reason. A typed value is kept until
    // it is cleared.
    await input(first).fill("100 $");
    await filling
      .getByText(interfaceTexts(language).derived.unsaid.other_currency)
      .first()
      .waitFor();
    expect(await input(inWords).inputValue()).toBe("");
    await input(inWords).fill("X");
    await input(first).fill(one.amounts[0]);
    await input(second).fill("");
    expect(await input(inWords).inputValue()).toBe("X");
    await filling
      .getByRole("button", {
        name: interfaceTexts(language).derived.again.split("{{")[0] ?? "",
      })
      .click();
    await expect.poll(() => input(inWords).inputValue()).toBe(one.fewer);

    await context.setOffline(false);
    await filling.getByRole("button", { name: texts.form.generate }).click();
    await filling.waitForURL("**/document-result**");
    await expect
      .poll(
        async () =>
          (await filling.locator("[data-page='0']").textContent()) ?? "",
      )
      .toContain(one.fewer.split(" ")[0]);

    // The result lists the derived fields that are empty, with the reasons.
    await filling.goBack();
    await input(first).fill("100 $");
    await filling.getByRole("button", { name: texts.form.generate }).click();
    const said = filling.getByRole("alert");
    await said.getByText(texts.derived.unsaid.other_currency).first().waitFor();
    expect(await said.textContent()).toContain(inWords);
    await takeScreenshot(filling, `derived-result-${language}`);
    expect(await accessibilityViolations(filling)).toEqual([]);
    expect(failures).toEqual([]);
    await context.close();
  }, 60_000);
});
