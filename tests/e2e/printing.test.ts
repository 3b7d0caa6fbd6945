// A screen with the pages of a document prints these pages, and not its buttons.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createAccount,
  createPerson,
  interfaceTexts,
  logIn,
} from "./people.ts";
import {
  openWindow,
  startProduct,
  takeScreenshot,
  textOfPdf,
  type Language,
  type Product,
  waitForResult,
} from "./product.ts";
import type { Template } from "./saved.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

/** Returns a template of the starting catalogue with several pages. */
async function longTemplate(
  language: Language,
): Promise<Template & { pages: number }> {
  const answer = await fetch(
    `${product.address}/api/v1/documents?limit=100&lang=${language}`,
  );
  const { data } = (await answer.json()) as {
    data: (Template & { pages: number })[];
  };
  const found = data.find(({ pages }) => pages >= 3);
  if (!found) throw new Error("all templates are short");
  return found;
}

/** Returns the darkest grey of each page, from 0 (black) to 255 (white). */
function darkestGreys(pdf: string): number[] {
  const picture = execFileSync("pdftoppm", ["-gray", "-r", "30", pdf], {
    maxBuffer: 1 << 26,
  });
  // One picture after the other: "P5", width, height, 255, and a byte for each pixel.
  const greys: number[] = [];
  for (let at = 0; at < picture.length;) {
    const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(
      picture.subarray(at, at + 40).toString("latin1"),
    );
    if (!head) throw new Error("not a picture");
    const start = at + head[0].length;
    const end = start + Number(head[1]) * Number(head[2]);
    greys.push(Math.min(...picture.subarray(start, end)));
    at = end;
  }
  return greys;
}

describe.each(["en", "fr", "ar"] as const)("printing (%s)", (language) => {
  it.each([
    [
      "a template",
      (page: Page, { _id }: Template) =>
        page.goto(`${product.address}/user-home/document/${_id}`),
    ],
    [
      "a form",
      (page: Page, { _id }: Template) =>
        page.goto(`${product.address}/user-home/form-document?document=${_id}`),
    ],
    [
      "a result",
      async (page: Page, { _id }: Template) => {
        await page.goto(
          `${product.address}/user-home/form-document?document=${_id}`,
        );
        await page.locator("form textarea").first().fill("Harbour 41");
        await page.locator("main button[type=submit]").click();
        await waitForResult(page);
      },
    ],
    [
      "a saved document",
      async (page: Page, template: Template) => {
        const person = await createAccount(product, createPerson(), language);
        await logIn(product, page, person);
        await page.goto(
          `${product.address}/user-home/form-document?document=${template._id}`,
        );
        await page.locator("form textarea").first().fill("Harbour 41");
        await page.locator("main button[type=submit]").click();
        await waitForResult(page);
        await page
          .getByRole("button", {
            name: interfaceTexts(language).result.save,
            exact: true,
          })
          .click();
        await page.waitForURL("**/user-home/user-documents/*");
        // Otherwise the pages of the result may still be there for a moment.
        await page.reload();
      },
    ],
  ])("%s prints all its pages alone", async (name, open) => {
    const template = await longTemplate(language);
    const { context, page, failures } = await openWindow(product, language);
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute("data-was-printed", "");
    });
    await open(page, template);
    await page.locator("[data-page='0'][data-drawn]").waitFor();
    // A form has fewer pages than its template, and most of them are not drawn yet.
    const pages = await page.locator("[data-page]").count();
    expect(pages).toBeGreaterThan(1);
    expect(await page.locator("[data-drawn]").count()).toBeLessThan(pages);
    await page.keyboard.press("Control+P");
    await page.locator("[data-was-printed]").waitFor();
    expect(await page.locator("[data-drawn]").count()).toBe(pages);
    const bytes = await page.pdf({ preferCSSPageSize: true });
    const file = join(product.folder, `${name}-${language}.pdf`);
    writeFileSync(file, bytes);
    const greys = darkestGreys(file);
    expect(greys).toHaveLength(pages);
    expect(Math.max(...greys)).toBeLessThan(128);
    // The pages are pictures, so any text would belong to the screen.
    expect(textOfPdf(bytes).trim()).toBe("");
    await page.emulateMedia({ media: "print" });
    await takeScreenshot(page, `print-${name.split(" ").at(-1)}-${language}`);
    await page.emulateMedia({ media: null });
    expect(failures).toEqual([]);
    await context.close();
  });

  it("at once, from the browser's menu, says that pages are missing", async () => {
    const { _id } = await longTemplate(language);
    const { context, page } = await openWindow(product, language);
    await page.goto(`${product.address}/user-home/document/${_id}`);
    await page.locator("[data-page='0'][data-drawn]").waitFor();
    const note = interfaceTexts(language).pdf.printAgain;
    await page.emulateMedia({ media: "print" });
    expect(await page.getByText(note).isVisible()).toBe(true);
    // The browser announces the attempt, so the pages are there for the next one.
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const pages = await page.locator("[data-page]").count();
    expect(pages).toBeGreaterThan(1);
    await expect.poll(() => page.locator("[data-drawn]").count()).toBe(pages);
    expect(await page.getByText(note).isVisible()).toBe(false);
    await context.close();
  });
});

it("other screens are printed as they are", async () => {
  const { context, page } = await openWindow(product, "en");
  await page.goto(`${product.address}/user-home/user-all-documents`);
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  const text = textOfPdf(await page.pdf());
  expect(text).toContain(interfaceTexts("en").catalogue.title);
  await context.close();
});
