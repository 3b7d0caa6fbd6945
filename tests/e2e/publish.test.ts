// An admin signs in and publishes a template; one that is wrong is refused with everything that is wrong with it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { words } from "./people.ts";
import { picture, start, visitor, type Product } from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await start();
});
afterAll(() => product?.stop());

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A small Word file of paragraphs. */
function docx(name: string, paragraphs: string[]): string {
  const folder = join(product.folder, name);
  mkdirSync(join(folder, "_rels"), { recursive: true });
  mkdirSync(join(folder, "word"), { recursive: true });
  const body = paragraphs
    .map(
      (text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`,
    )
    .join("");
  const main = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  writeFileSync(join(folder, "[Content_Types].xml"), TYPES);
  writeFileSync(join(folder, "_rels/.rels"), RELATIONS);
  writeFileSync(join(folder, "word/document.xml"), main);
  const file = join(product.folder, `${name}.docx`);
  const script =
    'import shutil,sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2]); shutil.move(sys.argv[1] + ".zip", sys.argv[1])';
  execFileSync("python3", ["-c", script, file, folder]);
  return file;
}

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
      const { context, page } = await visitor(product, language);
      await page.goto(`${product.address}/login`);
      await page.locator("button[type=submit]").click();
      await page.getByRole("alert").waitFor();
      await picture(page, `login-empty-${language}`);
      await page.locator("input[type=email]").fill(product.admin.email);
      await page.locator("input[name=password]").fill("not the password");
      await page.locator("button[type=submit]").click();
      await page
        .getByText(words(language).loginPage.invalidCredentials)
        .waitFor();
      await context.close();
    },
  );
});

describe("publishing", () => {
  it("a template is in the catalogue as soon as it is published", async () => {
    const { context, page, failures } = await visitor(product, "en");
    await logIn(page);
    const file = docx("letter", [
      "Dear {{Client name}},",
      "we confirm {{Date}}.",
      "Kind regards",
    ]);
    await page.locator("input[type=file]").setInputFiles(file);
    await page
      .getByRole("textbox", { name: "Title", exact: true })
      .fill("Letter of the harbour");
    await page
      .getByRole("combobox", { name: "Categories" })
      .pressSequentially("Gen");
    await page.getByRole("option").first().waitFor();
    await picture(page, "publish-suggestions-en");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL("**/user-home/user-all-documents**");
    await page.getByText("Letter of the harbour").waitFor();
    await picture(page, "catalogue-admin-en");
    expect(failures).toEqual([]);
    await context.close();
  });

  it.each(["en", "fr", "ar"] as const)(
    "one that is wrong is refused with everything that is wrong (%s)",
    async (language) => {
      const { context, page } = await visitor(product, language);
      await logIn(page);
      await picture(page, `publish-${language}`);
      const file = docx(`wrong-${language}`, [
        "Dear {{Client name",
        "}}, see {{}} and {{a|upper}}",
      ]);
      await page.locator("input[type=file]").setInputFiles(file);
      await page.locator("form button[type=submit]").click();
      await page.locator("[data-severity=error]").first().waitFor();
      expect(
        await page.locator("[data-severity=error]").count(),
      ).toBeGreaterThanOrEqual(3);
      await picture(page, `publish-refused-${language}`);
      await context.close();
    },
  );

  it("other files and large ones are refused before they are sent", async () => {
    const { context, page } = await visitor(product, "en");
    await logIn(page);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    const old = join(product.folder, "old.doc");
    writeFileSync(old, "x");
    await page.locator("input[type=file]").setInputFiles(old);
    await page.getByText("not a .docx file").waitFor();
    const large = join(product.folder, "large.docx");
    writeFileSync(large, Buffer.alloc(4 * 1024 * 1024 + 1));
    await page.locator("input[type=file]").setInputFiles(large);
    await page.getByText("at most 4 MB").first().waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Please enter a title and choose a file.").waitFor();
    expect(sent).toEqual([]);
    await context.close();
  });
});
