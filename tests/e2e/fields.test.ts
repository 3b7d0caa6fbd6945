// Tests of field settings: how an admin edits them, and their effect in the form (calendar, digit groups,
// choices, headings, hints).
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { logIn, interfaceTexts } from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";
import { writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

interface Case {
  language: "en" | "ar";
  /** The template's paragraphs, and the names of its fields: a name, a date, an amount, a choice. */
  paragraphs: string[];
  name: string;
  date: string;
  amount: string;
  choice: string;
  choices: [string, string];
  /** The chosen dates as the input shows them. */
  picked: RegExp;
  hijri: RegExp;
  label: string;
  hint: string;
}

const CASES: Case[] = [
  {
    language: "en",
    paragraphs: [
      "Paid by {{payer_name}} on {{Payment date}}: {{Sum}} EUR.",
      "{{Gender}}, {{E-mail}}, {{Telephone}}",
    ],
    name: "Payer name",
    date: "Payment date",
    amount: "Sum",
    choice: "Gender",
    choices: ["Female", "Male"],
    picked: /^\d{1,2} \p{L}+ \d{4}$/u,
    hijri: /AH$/,
    label: "Who paid",
    hint: "As in the register",
  },
  {
    language: "ar",
    paragraphs: [
      "دفع {{اسم_الدافع}} بتاريخ {{تاريخ الدفع}} مبلغ {{القدر}} دينار.",
      "{{الجنس}} {{البريد الإلكتروني}} {{رقم الهاتف}}",
    ],
    name: "اسم الدافع",
    date: "تاريخ الدفع",
    amount: "القدر",
    choice: "الجنس",
    choices: ["ذكر", "أنثى"],
    picked: /^\d{1,2} \p{L}+ \d{4}$/u,
    hijri: /هـ$/,
    label: "من الذي دفع",
    hint: "كما في السجل",
  },
];

const active = (input: Locator) =>
  expect
    .poll(() => input.evaluate((it) => it === document.activeElement))
    .toBe(true);

/** Returns the focusable day of an open calendar. */
const focusableDay = (page: Page) =>
  page.locator("[role=grid] button[tabindex='0']").textContent();

async function publish(
  page: Page,
  { language, paragraphs, name, label, hint, amount }: Case,
  title: string,
): Promise<void> {
  const { fieldEditor, publish } = interfaceTexts(language);
  await logIn(product, page, product.admin);
  await page.goto(`${product.address}/documents/create`);
  await page
    .locator("input[type=file]")
    .setInputFiles(
      writeDocx(product, `fields-${language}`, paragraphs, language),
    );
  const editor = page.getByRole("region", { name: fieldEditor.title });
  await editor.waitFor();
  await page
    .getByRole("textbox", { name: publish.documentTitle, exact: true })
    .fill(title);
  // The detected settings are shown at once, and a line can be opened by keyboard.
  const line = editor.locator("summary").filter({ hasText: name });
  await line.focus();
  await page.keyboard.press("Enter");
  await editor
    .getByRole("textbox", { name: fieldEditor.label, exact: true })
    .fill(label);
  await editor
    .getByRole("textbox", { name: fieldEditor.hint, exact: true })
    .fill(hint);
  await editor.getByRole("combobox", { name: fieldEditor.group }).fill(label);
  await expect
    .poll(() => editor.locator("summary").filter({ hasText: label }).count())
    .toBe(1);
  await expect
    .poll(() =>
      editor.locator("summary").filter({ hasText: amount }).textContent(),
    )
    .toContain(fieldEditor.kinds.amount);
  await takeScreenshot(page, `fields-editor-${language}`, true);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole("button", { name: publish.confirm }).click();
  await page.waitForURL("**/documents");
}

/**
 * The overrides are shown when the template is edited. After they are removed, the detected settings apply
 * again.
 */
async function removeOverrides(
  page: Page,
  { language, label, name }: Case,
  id: string,
): Promise<void> {
  const { fieldEditor, publish, templates } = interfaceTexts(language);
  await page.goto(`${product.address}/documents/${id}/view`);
  await page.getByRole("link", { name: templates.edit, exact: true }).click();
  const editor = page.getByRole("region", { name: fieldEditor.title });
  const line = editor.locator("summary").filter({ hasText: label });
  await expect.poll(() => line.textContent()).toContain(fieldEditor.said);
  await line.click();
  const hint = editor.getByRole("textbox", {
    name: fieldEditor.hint,
    exact: true,
  });
  expect(await hint.inputValue()).not.toBe("");
  await editor.getByRole("button", { name: fieldEditor.reset }).click();
  expect(await hint.inputValue()).toBe("");
  await page.getByRole("button", { name: publish.save, exact: true }).click();
  await page.waitForURL("**/documents");
  const answer = await fetch(`${product.address}/api/v1/documents/${id}`);
  const { fieldHelp } = (await answer.json()) as { fieldHelp: unknown[] };
  expect(fieldHelp[0]).toEqual({
    field: "payer_name",
    label: name,
    kind: "text",
  });
}

describe.each(CASES)("fields that help ($language)", (one) => {
  it("are guessed, mended, and filled in by the keyboard", async () => {
    const { language } = one;
    const texts = interfaceTexts(language).fieldInput;
    const { context, page, failures } = await openWindow(
      product,
      language as Language,
    );
    const title = `${one.label} ${language}`;
    await publish(page, one, title);
    const listed = (await (
      await fetch(
        `${product.address}/api/v1/documents?title=${encodeURIComponent(title)}`,
      )
    ).json()) as { data: { _id: string }[] };
    const id = listed.data[0]?._id ?? "";
    await page.goto(
      `${product.address}/user-home/form-document?document=${id}`,
    );

    // The heading, the label and the hint that the admin has set.
    const group = page.getByRole("group", { name: one.label });
    const name = group.getByRole("textbox", { name: one.label });
    await name.waitFor();
    expect(
      await name.evaluate(
        (it) =>
          document.getElementById(
            it.getAttribute("aria-describedby")?.split(" ")[0] ?? "",
          )?.textContent,
      ),
    ).toContain(one.hint);
    expect(
      await page.locator("[inputmode=email]").getAttribute("autocomplete"),
    ).toBe("email");
    expect(
      await page
        .locator("[inputmode=tel]")
        .evaluate((it) => getComputedStyle(it).direction),
    ).toBe("ltr");

    // Digits are grouped while the caret position and the browser's undo are kept.
    const amount = page.getByRole("textbox", { name: one.amount, exact: true });
    await amount.click();
    await amount.pressSequentially("1234567.5");
    expect(await amount.inputValue()).toBe("1,234,567.5");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Backspace");
    expect(await amount.inputValue()).toBe("234,567.5");
    await page.keyboard.type("9");
    expect(await amount.inputValue()).toBe("9,234,567.5");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    expect(await amount.inputValue()).not.toBe("9,234,567.5");
    await amount.fill("1.500,00 X");
    expect(await amount.inputValue()).toBe("1.500,00 X");
    // A plain number from elsewhere is written in the style of the template.
    await amount.fill("");
    await page.keyboard.insertText("12500,75");
    expect(await amount.inputValue()).toBe("12,500.75");

    // A list of choices; other values can be typed too.
    const choice = page.getByRole("combobox", { name: one.choice });
    await choice.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await choice.inputValue()).toBe(one.choices[1]);
    await choice.fill("…");
    expect(await choice.inputValue()).toBe("…");

    // A calendar of both eras with the keyboard control of the ARIA pattern. Arrow keys follow the visual
    // direction.
    const date = page.getByRole("textbox", { name: one.date, exact: true });
    await date.fill(language === "en" ? "28 February 2024" : "28 فبراير 2024");
    const button = page.getByRole("button", {
      name: texts.chooseDate.replace("{{field}}", one.date),
    });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("grid").waitFor();
    const february = await focusableDay(page);
    expect(february).toContain("2024");
    expect(february).toMatch(one.hijri);
    await takeScreenshot(page, `fields-calendar-${language}`, true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press(language === "en" ? "ArrowRight" : "ArrowLeft");
    await expect.poll(() => focusableDay(page)).toContain("29");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Shift+PageDown");
    await expect.poll(() => focusableDay(page)).toContain("28");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await page.keyboard.press("Escape");
    await page.getByRole("grid").waitFor({ state: "detached" });
    await active(button);
    await page.keyboard.press("Enter");
    await page.getByRole("grid").waitFor();
    await page.getByRole("textbox", { name: texts.year }).fill("1999");
    await expect.poll(() => focusableDay(page)).toContain("1999");
    await page.locator("[role=grid] button[tabindex='0']").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("grid").waitFor({ state: "detached" });
    expect(await date.inputValue()).toMatch(one.picked);
    expect(await date.inputValue()).toContain("1999");
    if (language === "ar") {
      await button.click();
      await page.getByText(texts.hijri, { exact: true }).click();
      await page.locator("[role=grid] button[tabindex='0']").click();
      expect(await date.inputValue()).toMatch(/^\d+ .+ 14\d\d هـ$/u);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, `fields-form-${language}`);
    if (language === "en") await removeOverrides(page, one, id);
    expect(failures).toEqual([]);
    await context.close();
  }, 60_000);
});
