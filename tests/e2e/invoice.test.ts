// A template with a list, an optional clause, a logo and a signature: published by an admin, filled with rows from a
// spreadsheet, saved, edited and downloaded.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import {
  callApi,
  clickAndWaitForText,
  createAccount,
  createPerson,
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
  type Language,
  type Product,
} from "./product.ts";
import { savedDocumentsOf, type SavedDocument } from "./saved.ts";
import {
  arabicTable,
  PICTURE_PARTS,
  pictureFrame,
  table,
  writeDocx,
} from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

/** The names of the fields and columns of an invoice. */
interface Names {
  title: string;
  items: string;
  what: string;
  quantity: string;
  price: string;
  lineTotal: string;
  total: string;
  guarantee: string;
  guarantor: string;
  logo: string;
  signature: string;
}

const CASES: { language: Language; names: Names }[] = [
  {
    language: "en",
    names: {
      title: "Invoice of the shipyard",
      items: "Items",
      what: "Description",
      quantity: "Quantity",
      price: "Unit price",
      lineTotal: "Line total",
      total: "Total amount",
      guarantee: "With guarantee",
      guarantor: "Guarantor",
      logo: "Logo",
      signature: "Signature",
    },
  },
  {
    language: "fr",
    names: {
      title: "Facture du chantier naval",
      items: "Lignes",
      what: "Désignation",
      quantity: "Quantité",
      price: "Prix unitaire",
      lineTotal: "Total de la ligne",
      total: "Montant total",
      guarantee: "Avec garantie",
      guarantor: "Garant",
      logo: "Logo de l’entreprise",
      signature: "Signature",
    },
  },
  {
    language: "ar",
    names: {
      title: "فاتورة حوض السفن",
      items: "البنود",
      what: "الوصف",
      quantity: "الكمية",
      price: "سعر الوحدة",
      lineTotal: "إجمالي السطر",
      total: "المبلغ الإجمالي",
      guarantee: "مع ضمان",
      guarantor: "الضامن",
      logo: "الشعار",
      signature: "التوقيع",
    },
  },
];

const ROWS = 40;
/** A product code, which is the same text in every language and direction. */
const code = (row: number) => `REF-${row}`;
const GUARANTOR = "ACME-77";
/** The sum of quantity × price: the row n has the quantity n and the price 10. */
const TOTAL = 8200;

/** Returns the digits of an amount without its decimals, however the language writes it. */
const wholeDigits = (text: string) =>
  text.replace(/[.,]\d{2}(?!\d)/, "").replace(/\D/g, "");

function writeTemplate(language: Language, names: Names): string {
  const field = (name: string) => `{{${name}}}`;
  const rows = [
    [names.what, names.quantity, names.price, names.lineTotal],
    [
      `{{#${names.items}}}${field(names.what)}`,
      field(names.quantity),
      field(names.price),
      `${field(names.lineTotal)}{{/${names.items}}}`,
    ],
  ];
  return writeDocx(
    product,
    `invoice-${language}`,
    [
      pictureFrame(field(names.logo)),
      language === "ar" ? arabicTable(rows) : table(rows),
      field(names.total),
      `{{#${names.guarantee}}}`,
      field(names.guarantor),
      `{{/${names.guarantee}}}`,
      field(names.signature),
    ],
    language,
    0,
    PICTURE_PARTS,
  );
}

/** Publishes the template as an admin, with its kinds and derivations. Returns its id. */
async function publish(language: Language, names: Names): Promise<string> {
  const { email, password } = product.admin;
  const login = await callApi(product, "POST", "/auth/login", {
    email,
    password,
  });
  const form = new FormData();
  form.set("title", names.title);
  form.set("language", language);
  form.set(
    "file",
    new Blob([readFileSync(writeTemplate(language, names))]),
    "invoice.docx",
  );
  form.set(
    "fieldHelp",
    JSON.stringify([
      {
        field: names.items,
        minRows: 1,
        columns: [
          { field: names.quantity, kind: "number" },
          { field: names.price, kind: "amount" },
          {
            field: names.lineTotal,
            derivation: {
              kind: "product",
              of: [names.quantity, names.price],
            },
          },
        ],
      },
      {
        field: names.total,
        derivation: {
          kind: "list_sum",
          list: names.items,
          column: names.lineTotal,
        },
      },
      { field: names.signature, kind: "signature" },
    ]),
  );
  const published = await fetch(`${product.address}/api/v1/documents/file`, {
    method: "POST",
    headers: { authorization: `Bearer ${login.body.token ?? ""}` },
    body: form,
  });
  const text = await published.text();
  expect(published.status, text).toBe(201);
  return (JSON.parse(text) as { document: { _id: string } }).document._id;
}

const input = (page: Page, path: string) =>
  page.locator(`form [data-input="${path}"]`);
const rowsOf = (page: Page) => page.locator("form [data-list] [data-row]");
const pagesWith = (page: Page, text: string) =>
  page.locator(".textLayer", { hasText: text });
const figure = (page: Page, description: string) =>
  page.locator(`.textLayer [role=img][aria-label="${description}"]`);

/** Pastes a table with headings in another order than the list's columns, through the clipboard. */
async function pasteRows(
  context: BrowserContext,
  page: Page,
  language: Language,
  names: Names,
): Promise<void> {
  const texts = interfaceTexts(language);
  const lines = [
    [names.price, names.what, names.quantity],
    ...Array.from({ length: ROWS }, (_, at) => ["10", code(at + 1), at + 1]),
  ];
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    lines.map((cells) => cells.join("\t")).join("\r\n"),
  );
  await page
    .getByRole("button", {
      name: texts.list.paste.openFor.replace("{{list}}", names.items),
    })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").focus();
  await page.keyboard.press("Control+V");
  await dialog.getByText(texts.list.paste.check).waitFor();
  await takeScreenshot(page, `invoice-paste-${language}`);
  await dialog.getByRole("button", { name: String(ROWS) }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Makes a picture in the browser and chooses it for a field. */
async function choosePicture(page: Page, field: string): Promise<void> {
  const url = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [400, 200];
    const context = canvas.getContext("2d");
    if (context) context.fillStyle = "#0b6e6e";
    context?.fillRect(0, 0, 400, 200);
    return canvas.toDataURL("image/png");
  });
  await page.locator(`input[type=file][data-input="${field}"]`).setInputFiles({
    name: "logo.png",
    mimeType: "image/png",
    buffer: Buffer.from(url.split(",")[1] ?? "", "base64"),
  });
  await page.locator(`[data-field="${field}"] img`).waitFor();
}

/** Draws two strokes with the mouse. */
async function sign(
  page: Page,
  field: string,
  language: Language,
): Promise<void> {
  const group = page.locator(`[data-field="${field}"]`);
  const pad = group.locator("canvas");
  await pad.scrollIntoViewIfNeeded();
  const area = await pad.boundingBox();
  if (!area) throw new Error("the drawing area is not visible");
  const at = (x: number, y: number) =>
    [area.x + area.width * x, area.y + area.height * y] as const;
  for (const [from, to] of [
    [at(0.2, 0.6), at(0.45, 0.3)],
    [at(0.5, 0.3), at(0.8, 0.6)],
  ] as const) {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 8 });
    await page.mouse.up();
  }
  await group
    .getByRole("button", {
      name: interfaceTexts(language).signatureInput.clear,
      disabled: false,
    })
    .waitFor();
}

type Stored = string | boolean | { image: string } | Record<string, string>[];

/** Returns the values of a saved document by field. */
async function storedValues(
  token: string,
  id: string,
): Promise<Record<string, Stored>> {
  const { body } = await callApi(
    product,
    "GET",
    `/documents/saved/${id}`,
    undefined,
    token,
  );
  const { savedDocument } = body as unknown as {
    savedDocument: { currentDocumentData: Record<string, Stored>[] };
  };
  return Object.assign({}, ...savedDocument.currentDocumentData) as Record<
    string,
    Stored
  >;
}

/** Returns the total in the form's count of filled fields. */
async function countedFields(page: Page): Promise<number> {
  const numbers = (await page.locator("#filled").textContent())?.match(/\d+/g);
  return Math.max(...(numbers ?? []).map(Number));
}

/** Returns the number of pictures in a PDF. */
function countPictures(name: string, pdf: Uint8Array): number {
  const file = join(product.folder, `${name}.pdf`);
  writeFileSync(file, pdf);
  const list = execFileSync("pdfimages", ["-list", file], { encoding: "utf8" });
  return list.split("\n").filter((line) => /^\s+\d+\s+\d+\s+image/.test(line))
    .length;
}

describe.each(CASES)("an invoice ($language)", ({ language, names }) => {
  const texts = interfaceTexts(language);

  it("is filled from a spreadsheet, signed, saved, edited and downloaded", async () => {
    const id = await publish(language, names);
    const person = await createAccount(product, createPerson(), language);
    const { context, page, failures } = await openWindow(product, language);
    await logIn(product, page, person);
    await page.goto(
      `${product.address}/user-home/form-document?document=${id}`,
    );
    await page.locator("[data-page='0'] canvas").waitFor();

    // The list is filled, and its totals are computed.
    await pasteRows(context, page, language, names);
    await expect.poll(() => rowsOf(page).count()).toBe(ROWS);
    const lastRow = `${names.items}[${ROWS - 1}]`;
    expect(await input(page, `${lastRow}.${names.what}`).inputValue()).toBe(
      code(ROWS),
    );
    await expect
      .poll(async () =>
        wholeDigits(
          await input(page, `${lastRow}.${names.lineTotal}`).inputValue(),
        ),
      )
      .toBe(String(ROWS * 10));
    await expect
      .poll(async () =>
        wholeDigits(await input(page, names.total).inputValue()),
      )
      .toBe(String(TOTAL));
    await pagesWith(page, code(ROWS)).first().waitFor({ state: "attached" });

    // The clause appears and disappears with its switch, and so does its field, which keeps its value.
    const clause = input(page, names.guarantee);
    const guarantor = input(page, names.guarantor);
    expect(await clause.isChecked()).toBe(false);
    await guarantor.waitFor({ state: "detached" });
    const withoutClause = await countedFields(page);
    const effect = await clause.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${effect}"]`).textContent()).toContain(
      names.guarantor,
    );
    await takeScreenshot(page, `invoice-clause-off-${language}`, true);
    await clause.check();
    await guarantor.fill(GUARANTOR);
    expect(await countedFields(page)).toBe(withoutClause + 1);
    await pagesWith(page, GUARANTOR).first().waitFor({ state: "attached" });
    await clause.uncheck();
    await pagesWith(page, GUARANTOR).first().waitFor({ state: "detached" });
    await guarantor.waitFor({ state: "detached" });
    expect(await countedFields(page)).toBe(withoutClause);
    await clause.check();
    await pagesWith(page, GUARANTOR).first().waitFor({ state: "attached" });
    expect(await guarantor.inputValue()).toBe(GUARANTOR);

    // The pictures are on the page at once.
    expect(await figure(page, names.logo).count()).toBe(0);
    await choosePicture(page, names.logo);
    await figure(page, names.logo).first().waitFor({ state: "attached" });
    await sign(page, names.signature, language);
    await figure(page, names.signature).first().waitFor({ state: "attached" });
    await takeScreenshot(page, `invoice-form-${language}`, true);
    expect(await accessibilityViolations(page)).toEqual([]);

    // The server prints the same.
    await page.getByRole("button", { name: texts.form.generate }).click();
    await waitForResult(page);
    await takeScreenshot(page, `invoice-result-${language}`);
    const pdf = await downloadBy(context, page, () =>
      page.getByRole("button", { name: texts.result.downloadPdf }).click(),
    );
    const printed = textOfPdf(pdf.bytes);
    for (const wanted of [code(1), code(ROWS), GUARANTOR])
      expect(printed).toContain(wanted);
    expect(printed).not.toContain("{{");
    expect(countPictures(`invoice-${language}`, pdf.bytes)).toBe(2);
    const word = await downloadBy(context, page, () =>
      page.getByRole("button", { name: texts.result.downloadWord }).click(),
    );
    expect(word.name).toMatch(/\.docx$/);

    await clickAndWaitForText(
      page,
      () =>
        page
          .getByRole("button", { name: texts.result.save, exact: true })
          .click(),
      texts.saved.documentSaved,
    );
    await page.waitForURL("**/user-home/user-documents/*");
    const [saved, ...others] = await savedDocumentsOf(product, person.token);
    expect(others).toEqual([]);
    const savedId = (saved as SavedDocument)._id;
    const stored = await storedValues(person.token, savedId);
    expect(stored[names.items]).toHaveLength(ROWS);
    expect(stored[names.guarantee]).toBe(true);
    for (const picture of [names.logo, names.signature])
      expect(stored[picture]).toMatchObject({
        image: expect.stringMatching(/^data:image\/(png|jpeg);base64,/),
      });

    // The edit starts from what was saved, and changes one row and the clause.
    await page.goto(
      `${product.address}/user-home/form-document?saved=${savedId}`,
    );
    await expect.poll(() => rowsOf(page).count()).toBe(ROWS);
    await page.locator(`[data-field="${names.signature}"] img`).waitFor();
    expect(await clause.isChecked()).toBe(true);
    const first = input(page, `${names.items}[0].${names.what}`);
    expect(await first.inputValue()).toBe(code(1));
    await first.fill("REF-NEW");
    await pagesWith(page, "REF-NEW").first().waitFor({ state: "attached" });
    await clause.uncheck();
    await page.getByRole("button", { name: texts.form.generate }).click();
    await waitForResult(page);
    const edited = await downloadBy(context, page, () =>
      page.getByRole("button", { name: texts.result.downloadPdf }).click(),
    );
    expect(textOfPdf(edited.bytes)).toContain("REF-NEW");
    expect(textOfPdf(edited.bytes)).not.toContain(GUARANTOR);
    await clickAndWaitForText(
      page,
      () =>
        page
          .getByRole("button", { name: texts.result.save, exact: true })
          .click(),
      texts.saved.documentSaved,
    );
    await page.waitForURL(`**/user-documents/${savedId}`);
    const after = await storedValues(person.token, savedId);
    expect(after[names.items]).toMatchObject([
      { [names.what]: "REF-NEW" },
      ...Array(ROWS - 1).fill({}),
    ]);
    expect(after[names.guarantee]).toBe(false);
    expect(after[names.signature]).toEqual(stored[names.signature]);
    expect(failures).toEqual([]);
    await context.close();
  });
});
