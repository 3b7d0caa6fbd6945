// An admin publishes several files at once. Files that need work are told apart, and a failed one is tried again.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { fillLogin, interfaceTexts } from "./people.ts";
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

async function logIn(page: Page): Promise<void> {
  await page.goto(`${product.address}/documents/create`);
  await page.waitForURL("**/login");
  await fillLogin(page, product.admin);
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/documents/create");
}

const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
const rows = (page: Page) => page.locator("li[data-file]");
/** Finds the files in a step of the list. */
const inStep = (page: Page, step: string) =>
  page.locator(`li[data-step=${step}]`);

/** Fills the placeholders of a text. */
function fillText(text: string, values: Record<string, string | number>) {
  return text.replace(/\{\{(\w+)[^}]*\}\}/g, (_, name: string) =>
    String(values[name]),
  );
}

const TITLES: Record<"en" | "ar", string[]> = {
  en: ["Lease", "Offer", "Invoice", "Receipt", "Notice", "Report", "Memo"],
  ar: ["إيجار", "عرض", "فاتورة", "إيصال", "إشعار", "تقرير", "مذكرة"],
};

/** Writes seven valid files, one without fields, a duplicate, and one of another format. */
function writeFiles(language: "en" | "ar"): string[] {
  const titles = TITLES[language];
  const write = (name: string, text: string) =>
    writeDocx(product, name, [text], language);
  const valid = titles.map((title) =>
    write(`${title}_of_the_quay`, `${title}: {{Client name}}, {{Date}}`),
  );
  const copy = join(product.folder, `${titles[0]}-copy.docx`);
  copyFileSync(valid[0] ?? "", copy);
  const old = join(product.folder, `${language}-old.doc`);
  writeFileSync(old, "x");
  return [...valid, copy, write(`${language}-plain`, "Name: ________"), old];
}

describe.each(["en", "ar"] as const)("several files, in %s", (language) => {
  const all = interfaceTexts(language);
  const texts = all.severalFiles;
  const titles = TITLES[language].map((title) => `${title} of the quay`);

  it("are checked and published together, and a failed one is tried again", async () => {
    const { context, page, failures } = await openWindow(product, language);
    await logIn(page);
    await page.locator("#template-file").setInputFiles(writeFiles(language));
    await page.getByRole("list", { name: texts.list, exact: true }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(10);
    await page
      .getByRole("status")
      .filter({
        hasText: fillText(texts.readyCount, { ready: 7, total: 10 }),
      })
      .waitFor();
    expect(await page.locator("li[data-ready]").count()).toBe(7);
    await inStep(page, "refused").getByText(all.publish.otherWord).waitFor();
    await inStep(page, "duplicate")
      .getByText(
        fillText(texts.duplicate, {
          name: `\u2068${TITLES[language][0]}_of_the_quay.docx\u2069`,
        }),
      )
      .waitFor();
    await rows(page).getByText(texts.openToMark).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, `many-files-${language}`, true);

    // Titles are edited in the list, and one choice of the country is for all files.
    const title = rows(page).first().getByRole("textbox");
    expect(await title.inputValue()).toBe(titles[0]);
    await title.fill(`${titles[0]} 2`);
    await page
      .getByRole("combobox", { name: all.publish.categories })
      .fill("Harbour,");

    // The first attempt for one file gets no response, although the server has published it.
    const keys: string[] = [];
    let lost = 0;
    await page.route("**/api/v1/documents/file", async (route) => {
      const request = route.request();
      keys.push(request.headers()["idempotency-key"] ?? "");
      if (keys.length !== 3) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await button(page, texts.publishAll).click();
    await page
      .getByRole("status")
      .filter({ hasText: fillText(texts.failedCount, { failed: 1 }) })
      .waitFor();
    expect(await inStep(page, "published").count()).toBe(6);
    expect(lost).toBe(1);
    await takeScreenshot(page, `many-files-failed-${language}`, true);
    await inStep(page, "publishFailed")
      .getByRole("button", {
        name: fillText(texts.retryFile, {
          name: `${TITLES[language][2]}_of_the_quay.docx`,
        }),
      })
      .click();
    await expect.poll(() => inStep(page, "published").count()).toBe(7);
    expect(keys).toHaveLength(8);
    expect(keys[7]).toBe(keys[2]);
    expect(new Set(keys).size).toBe(7);

    // The file without fields is not published yet, so leaving asks.
    await page
      .getByRole("link", { name: all.templates.toAll, exact: true })
      .click();
    const dialog = page.getByRole("dialog", { name: all.leaving.title });
    await dialog.getByRole("button", { name: all.leaving.leave }).click();
    await page.waitForURL("**/documents");
    const found = async () => {
      const answer = await fetch(
        `${product.address}/api/v1/documents?limit=50&lang=${language}&title=${encodeURIComponent("quay")}`,
      );
      const { data } = (await answer.json()) as {
        data: { title: string; categories: string[]; language: unknown }[];
      };
      return data;
    };
    const published = await found();
    expect(published.map((one) => one.title).sort()).toEqual(
      [`${titles[0]} 2`, ...titles.slice(1)].sort(),
    );
    expect(published.flatMap((one) => one.categories)).toEqual(
      titles.map(() => "harbour"),
    );
    await page.goto(
      `${product.address}/user-home/user-all-documents?lang=${language}&title=quay`,
    );
    await page.getByText(`${titles[0]} 2`).waitFor();
    await page.reload();
    for (const one of titles.slice(1)) await page.getByText(one).waitFor();
    // The lost response is the failure of the test.
    expect(
      failures.filter((failure) => !failure.includes("ERR_FAILED")),
    ).toEqual([]);
    await context.close();
  });

  it("are opened in the form one by one, and a changed one is published from there", async () => {
    const { context, page, failures } = await openWindow(product, language);
    await logIn(page);
    const name = (letter: string) => `${language}-opened-${letter}`;
    await page
      .locator("#template-file")
      .setInputFiles(
        ["a", "b"].map((letter) =>
          writeDocx(
            product,
            name(letter),
            [`${letter}: {{Client name}}`],
            language,
          ),
        ),
      );
    await expect.poll(() => page.locator("li[data-ready]").count()).toBe(2);
    const open = (letter: string) =>
      page
        .getByRole("link", {
          name: fillText(texts.openFile, { name: `${name(letter)}.docx` }),
        })
        .click();
    const title = page.getByRole("textbox", {
      name: all.publish.documentTitle,
      exact: true,
    });
    await open("a");
    await page.waitForURL("**/create?draft=**");
    await expect
      .poll(() => title.inputValue())
      .toBe(name("a").replaceAll("-", " "));
    await title.fill(`Form title ${language}`);
    await page.getByRole("link", { name: texts.back }).click();
    await expect
      .poll(() => rows(page).first().getByRole("textbox").inputValue())
      .toBe(`Form title ${language}`);
    // The focus returns to the file that was opened.
    expect(
      await page.evaluate(
        () => document.activeElement?.closest("[data-file]")?.textContent,
      ),
    ).toContain(name("a"));

    await open("b");
    await page.waitForURL("**/create?draft=**");
    await page
      .getByRole("button", { name: all.publish.confirm, exact: true })
      .click();
    await expect.poll(() => inStep(page, "published").count()).toBe(1);
    await button(page, texts.publishAll).click();
    await expect.poll(() => inStep(page, "published").count()).toBe(2);

    // Nothing is left to lose.
    await page
      .getByRole("link", { name: all.templates.toAll, exact: true })
      .click();
    await page.waitForURL("**/documents");
    await page.getByText(`Form title ${language}`).first().waitFor();
    expect(failures).toEqual([]);
    await context.close();
  });
});

it("more than fifty files are refused, and the list fits a narrow screen", async () => {
  const texts = interfaceTexts("en").severalFiles;
  const { context, page } = await openWindow(product, "en");
  await logIn(page);
  const drop = async (selector: string, count: number) => {
    const files = await page.evaluateHandle((wanted) => {
      const transfer = new DataTransfer();
      for (let index = 0; index < wanted; index += 1)
        transfer.items.add(new File([`${index}`], `notes-${index}.txt`));
      return transfer;
    }, count);
    await page.locator(selector).dispatchEvent("drop", { dataTransfer: files });
  };
  await drop("div:has(> #template-file)", 51);
  await page.getByRole("alert").filter({ hasText: "50" }).waitFor();
  await drop("div:has(> #template-file)", 3);
  await expect.poll(() => rows(page).count()).toBe(3);
  expect(await button(page, texts.publishAll).isDisabled()).toBe(true);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth <= window.innerWidth,
    ),
  ).toBe(true);

  // The keyboard removes files, and the focus goes to the next one.
  const remove = rows(page).first().getByRole("button");
  await remove.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  // The empty list is the form again.
  await page.locator("#template-file").waitFor();
  await context.close();
});
