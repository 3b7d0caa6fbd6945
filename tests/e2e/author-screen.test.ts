// The screen on which a template is made, on a window of 1280 × 800: the chosen file takes one line, and problems, fields
// and pages are in view where they are needed.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { callApi, fillLogin, interfaceTexts } from "./people.ts";
import {
  openWindow,
  startProduct,
  takeScreenshot,
  type Product,
} from "./product.ts";
import { writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const WINDOW = { width: 1280, height: 800 };

async function logIn(page: Page): Promise<void> {
  await page.goto(`${product.address}/documents/create`);
  await page.waitForURL("**/login");
  await fillLogin(page, product.admin);
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/documents/create");
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("not shown");
  return { ...box, bottom: box.y + box.height };
}

describe("the author's screen at 1280 × 800", () => {
  it.each(["en", "fr", "ar"] as const)(
    "keeps the file in one line and the pages beside the fields (%s)",
    async (language) => {
      const texts = interfaceTexts(language);
      const { context, page, failures } = await openWindow(product, language);
      await page.setViewportSize(WINDOW);
      await logIn(page);
      const names = Array.from({ length: 24 }, (_, index) => `Clause ${index}`);
      await page.locator("#template-file").setInputFiles(
        writeDocx(
          product,
          `lease-${language}`,
          names.map((name) => `Text of the clause: {{${name}}}`),
        ),
      );
      const replace = page.getByRole("button", {
        name: texts.publish.chooseAnother,
      });
      await replace.waitFor();
      await page.locator("[data-drawn]").first().waitFor();

      // Name, number of pages and both buttons are in one line.
      const line = page
        .locator("label[for=template-file] + div")
        .filter({ hasText: `lease-${language}.docx` });
      expect((await boxOf(line)).height).toBeLessThan(60);
      expect(await line.textContent()).toContain(
        texts.pages_one.replace("{{count, number}}", "1"),
      );
      expect(await line.locator("button").count()).toBe(2);

      // Problems and fields come before the button, on the page and for the keyboard.
      const publish = page.getByRole("button", {
        name: texts.publish.confirm,
        exact: true,
      });
      const problems = page.locator("section[aria-labelledby=check-title]");
      expect((await boxOf(problems)).bottom).toBeLessThanOrEqual(
        (await boxOf(publish)).y,
      );
      expect(await problems.textContent()).toContain("Clause 0");
      const lastField = page.getByRole("textbox", { name: "Clause 23" });
      for (const earlier of [problems, lastField])
        expect(
          await earlier.evaluate((element) => {
            const button = document.querySelector("form button[type=submit]");
            return Boolean(
              button &&
              element.compareDocumentPosition(button) &
                Node.DOCUMENT_POSITION_FOLLOWING,
            );
          }),
        ).toBe(true);
      await takeScreenshot(page, `author-screen-${language}`);

      // The page stays in view beside the last field of the test fill.
      await lastField.focus();
      await lastField.evaluate((input) =>
        input.scrollIntoView({ block: "center" }),
      );
      const sheet = await boxOf(page.locator("[data-drawn]").first());
      expect(sheet.y).toBeGreaterThanOrEqual(0);
      expect(sheet.y).toBeLessThan(WINDOW.height / 2);
      expect((await boxOf(publish)).y).toBeGreaterThan(64);
      expect((await boxOf(publish)).bottom).toBeLessThan(WINDOW.height);
      await takeScreenshot(page, `author-screen-scrolled-${language}`);

      // The country of the bar selects nothing here; the template has its own.
      expect(
        await page
          .locator("header")
          .getByRole("combobox", { name: texts.country, exact: true })
          .count(),
      ).toBe(0);
      expect(failures).toEqual([]);
      await context.close();
    },
  );

  it("does not call a file with blanks free of problems, and says that a large one makes large downloads", async () => {
    const texts = interfaceTexts("en");
    const { context, page, failures } = await openWindow(product, "en");
    await page.setViewportSize(WINDOW);
    await logIn(page);
    const choose = (name: string, text: string[], ballast = 0) =>
      page
        .locator("#template-file")
        .setInputFiles(writeDocx(product, name, text, undefined, ballast));
    const [large = ""] = texts.publish.largeFile.split(" {{size}}");
    const hint = page.getByRole("status").filter({ hasText: large });

    await choose("blanks", [
      "Name of the tenant: ____________",
      "Address: ____________",
    ]);
    await page
      .getByText(texts.marking.found_other.replace("{{count, number}}", "2"))
      .waitFor();
    expect(await page.getByText(texts.publish.nothingFound).count()).toBe(0);
    expect(await hint.count()).toBe(0);

    await choose("large", ["Dear {{Client name}},"], 6_000_000);
    await page.getByText(texts.publish.nothingFound).waitFor();
    expect(await hint.textContent()).toContain("6 MB");
    expect(failures).toEqual([]);
    await context.close();
  });
});

it("the bar offers the country only where it selects templates", async () => {
  const texts = interfaceTexts("en");
  const { context, page } = await openWindow(product, "en");
  await logIn(page);
  const bar = page.locator("header").first();
  const count = (name: string) =>
    bar.getByRole("combobox", { name, exact: true }).count();
  for (const [path, countries] of [
    ["/documents", 0],
    ["/account-setting", 0],
    ["/user-home/user-all-documents", 1],
  ] as const) {
    await page.goto(`${product.address}${path}`);
    await page.locator("main h1").waitFor();
    expect([path, await count(texts.country)]).toEqual([path, countries]);
  }
  await context.close();
});

it("the admin's view of a template shows the labels of its fields", async () => {
  const { context, page } = await openWindow(product, "en");
  await logIn(page);
  const { body: session } = await callApi(
    product,
    "POST",
    "/auth/login",
    product.admin,
  );
  const listed = await fetch(`${product.address}/api/v1/documents?limit=1`);
  const [template] = (
    (await listed.json()) as { data: { _id: string; fields: string[] }[] }
  ).data;
  if (!template) throw new Error("no template");
  const form = new FormData();
  form.set(
    "fieldHelp",
    JSON.stringify([{ field: template.fields[0], label: "A declared label" }]),
  );
  const changed = await fetch(
    `${product.address}/api/v1/documents/${template._id}`,
    {
      method: "PATCH",
      headers: { authorization: `Bearer ${String(session.token)}` },
      body: form,
    },
  );
  expect(changed.status).toBe(200);
  await page.goto(`${product.address}/documents/${template._id}/view`);
  const first = page
    .locator("section[aria-labelledby=fields-title] li")
    .first();
  await first.getByText("A declared label").waitFor();
  expect(await first.textContent()).toContain(template.fields[0]);
  await context.close();
});
