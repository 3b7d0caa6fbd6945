// An admin makes a template of an ordinary contract: blanks become fields on the page, a problem is repaired there, and the
// template is filled in once, by mouse and by the keyboard alone.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { callApi, fillLogin, interfaceTexts } from "./people.ts";
import {
  openWindow,
  startProduct,
  takeScreenshot,
  type Language,
  type Product,
} from "./product.ts";
import { arabicTable, table, writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const LINE = "____________________";

/** The labels of the contract's blanks, which become the names of its fields. */
const LABELS = {
  en: [
    "Date of agreement",
    "Client name",
    "Client address",
    "Client telephone",
    "Client e-mail",
    "Consultant name",
    "Consultant address",
    "Consultant telephone",
    "Consultant e-mail",
    "Registration number",
    "Project title",
    "Place of work",
    "Start date",
    "End date",
    "Hourly rate",
    "Monthly ceiling",
    "Currency",
    "Payment period",
    "Bank account",
    "Tax number",
    "Notice period",
    "Governing law",
    "Court",
    "Place of signature",
    "Date of signature",
  ],
  ar: [
    "تاريخ الاتفاق",
    "اسم العميل",
    "عنوان العميل",
    "هاتف العميل",
    "بريد العميل",
    "اسم المستشار",
    "عنوان المستشار",
    "هاتف المستشار",
    "بريد المستشار",
    "رقم السجل",
    "عنوان المشروع",
    "مكان العمل",
    "تاريخ البدء",
    "تاريخ الانتهاء",
    "أجر الساعة",
    "الحد الشهري",
    "العملة",
    "مدة السداد",
    "الحساب البنكي",
    "الرقم الضريبي",
    "مدة الإخطار",
    "القانون الواجب التطبيق",
    "المحكمة",
    "مكان التوقيع",
    "تاريخ التوقيع",
  ],
} as const;

const CLAUSE = {
  en: "The Consultant keeps all papers of Northwind Books secret.",
  ar: "يحتفظ المستشار بسرية جميع أوراق مكتبة النخيل.",
};
/** A text without a blank, which the author makes a field by selecting it. It is in the document twice. */
const COMPANY = { en: "Northwind Books", ar: "مكتبة النخيل" };

/** The name in a field that the author of the contract has not closed. */
const DEPUTY = { en: "Deputy name", ar: "اسم النائب" };
/** A value that the author types in the test fill. */
const ADDRESS = { en: "12 High Street", ar: "12 شارع النخيل" };

function writeContract(language: "en" | "ar", name: string): string {
  const right = language === "ar";
  const paragraph = (text: string) =>
    `<w:p><w:pPr>${right ? "<w:bidi/>" : ""}</w:pPr><w:r><w:rPr>${right ? "<w:rtl/>" : ""}<w:lang w:val="${language}" w:bidi="${language}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  const rows = [
    [COMPANY[language], "—"],
    ["1", "2"],
  ];
  return writeDocx(product, name, [
    ...LABELS[language].map((label) => paragraph(`${label}: ${LINE}`)),
    paragraph(`${DEPUTY[language]}: {{${DEPUTY[language]}`),
    paragraph(CLAUSE[language]),
    right ? arabicTable(rows) : table(rows),
  ]);
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${product.address}/documents/create`);
  await page.waitForURL("**/login");
  await fillLogin(page, product.admin);
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/documents/create");
}

const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
const editor = (page: Page) => page.getByRole("dialog");
const nameInputs = (page: Page) => editor(page).locator("input[data-name]");
const names = (page: Page) =>
  nameInputs(page).evaluateAll((all) =>
    all.map((input) => (input as HTMLInputElement).value),
  );
const checkedCount = (page: Page) =>
  editor(page).locator("li input[type=checkbox]:checked").count();

const tab = (page: Page, name: string) =>
  editor(page).getByRole("tab", { name });
const problems = (page: Page) => editor(page).locator("li[data-problem]");
const problemIcons = (page: Page) =>
  editor(page).locator("button[data-problem]");
const focusedName = (page: Page) =>
  page.evaluate(
    () => (document.activeElement as HTMLInputElement | null)?.value,
  );
const focusedProblem = (page: Page) =>
  page.evaluate(
    () =>
      document.activeElement?.hasAttribute("data-problem") &&
      document.activeElement.tagName,
  );

/** Returns the text of the visible pages without white space, because a text may be in several pieces. */
const pageText = (page: Page) =>
  editor(page)
    .locator(".textLayer")
    .evaluateAll((layers) =>
      layers
        .filter((layer) => layer.checkVisibility({ visibilityProperty: true }))
        .map((layer) => layer.textContent)
        .join("")
        .replace(/\s/g, ""),
    );
const withoutSpaces = (text: string) => text.replace(/\s/g, "");

/** Selects the first place of a text on the pages, as the mouse does. The text may be in several pieces. */
async function selectOnPage(page: Page, text: string): Promise<void> {
  const layer = editor(page).locator(".textLayer").first();
  await layer.evaluate((root, wanted) => {
    const characters: [Text, number][] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < (node as Text).data.length; at += 1)
        if (/\S/.test((node as Text).data[at] ?? ""))
          characters.push([node as Text, at]);
    const all = characters.map(([node, at]) => node.data[at]).join("");
    const sought = wanted.replace(/\s/g, "");
    const start = characters[all.indexOf(sought)];
    const end = characters[all.indexOf(sought) + sought.length - 1];
    if (!start || !end) throw new Error(`${wanted} is not on the page: ${all}`);
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(end[0], end[1] + 1);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    start[0].parentElement?.scrollIntoView({ block: "center" });
    root.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  }, text);
}

/** Returns the fields of the template that was published last. */
async function publishedFields(): Promise<string[]> {
  const { body } = await callApi(
    product,
    "GET",
    "/documents?limit=1&newCreated=true",
  );
  const [newest] = (body as unknown as { data: { fields: string[] }[] }).data;
  return newest?.fields ?? [];
}

describe.each(["en", "ar"] as const)("a plain contract (%s)", (language) => {
  const texts = interfaceTexts(language as Language);
  const marking = texts.marking;

  it("becomes a published template by mouse", async () => {
    const { context, page, failures } = await openWindow(product, language);
    await logIn(page);
    await page
      .locator("input[type=file]")
      .setInputFiles(writeContract(language, `mouse-${language}`));
    await button(page, marking.open).click();
    await editor(page).locator("[data-drawn]").first().waitFor();
    await nameInputs(page).nth(24).waitFor();
    expect(await names(page)).toEqual(LABELS[language]);
    // Every blank is highlighted on the page.
    await expect
      .poll(() => editor(page).locator("[data-suggested]").count())
      .toBeGreaterThanOrEqual(25);
    // The field that is not closed is underlined, with an icon at the margin that leads to the list, and back.
    await problemIcons(page).first().waitFor();
    expect(
      await editor(page).locator("div[data-problem=error]").count(),
    ).toBeGreaterThan(0);
    await takeScreenshot(page, `marking-suggestions-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await problemIcons(page).first().click();
    await expect.poll(() => focusedProblem(page)).toBe("LI");
    await takeScreenshot(page, `marking-problems-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await button(page, marking.show).click();
    await expect.poll(() => focusedProblem(page)).toBe("BUTTON");
    await problems(page).getByRole("button").nth(1).click();
    await expect.poll(() => focusedName(page)).toBe(DEPUTY[language]);
    await expect.poll(() => problemIcons(page).count()).toBe(0);
    await expect.poll(() => problems(page).count()).toBe(0);

    // Acceptance, undo and redo.
    await editor(page).locator("button", { hasText: /25|٢٥/ }).first().click();
    await expect.poll(() => checkedCount(page)).toBe(26);
    await editor(page)
      .locator(".textLayer", { hasText: `[${LABELS[language][1]}]` })
      .first()
      .waitFor({ state: "attached" });
    await button(page, marking.undo).click();
    await expect.poll(() => checkedCount(page)).toBe(1);
    await button(page, marking.redo).click();
    await expect.poll(() => checkedCount(page)).toBe(26);

    // A text that is selected on the page becomes a field at all its places.
    await selectOnPage(page, COMPANY[language]);
    await button(page, marking.makeField).waitFor();
    await editor(page)
      .getByRole("region", { name: marking.selection })
      .getByRole("button")
      .nth(2)
      .click();
    await expect.poll(() => nameInputs(page).count()).toBe(27);
    await expect.poll(() => focusedName(page)).toBe(COMPANY[language]);
    await takeScreenshot(page, `marking-selected-${language}`);

    // The test fill shows its values at once, and the marking is as it was afterwards.
    await tab(page, marking.fillTab).click();
    await button(page, texts.publish.exampleValues).click();
    await editor(page)
      .locator(`[data-input="${LABELS[language][2]}"]`)
      .fill(ADDRESS[language]);
    await expect
      .poll(() => pageText(page))
      .toContain(withoutSpaces(ADDRESS[language]));
    expect(await pageText(page)).toContain(
      withoutSpaces(`${LABELS[language][1]}: ${LABELS[language][1]}`),
    );
    await takeScreenshot(page, `marking-fill-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await tab(page, marking.fieldsTab).click();
    await expect
      .poll(() => pageText(page))
      .toContain(withoutSpaces(`[${COMPANY[language]}]`));
    await button(page, marking.undo).click();
    await expect.poll(() => nameInputs(page).count()).toBe(26);
    await button(page, marking.redo).click();
    await expect.poll(() => nameInputs(page).count()).toBe(27);
    // A value stays with a field that is renamed.
    await nameInputs(page).nth(2).fill("Office");
    await page.keyboard.press("Enter");
    await tab(page, marking.fillTab).click();
    await expect
      .poll(() => editor(page).locator('[data-input="Office"]').inputValue())
      .toBe(ADDRESS[language]);
    await button(page, marking.undo).click();

    await button(page, marking.apply).click();
    await editor(page).waitFor({ state: "detached" });
    await page.getByRole("heading", { name: /27|٢٧/ }).first().waitFor();
    await takeScreenshot(page, `marking-done-${language}`);
    await page.locator("input[name=title]").fill(`Contract ${language}`);
    await page.locator("form button[type=submit]").last().click();
    await page.waitForURL("**/documents");
    await expect.poll(async () => (await publishedFields()).length).toBe(27);
    expect(await publishedFields()).toEqual([
      ...LABELS[language],
      DEPUTY[language],
      COMPANY[language],
    ]);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("becomes a template by the keyboard alone", async () => {
    const { context, page, failures } = await openWindow(product, language);
    await logIn(page);
    await page
      .locator("input[type=file]")
      .setInputFiles(writeContract(language, `keys-${language}`));
    await button(page, marking.open).focus();
    await page.keyboard.press("Enter");
    await nameInputs(page).nth(24).waitFor();

    // The arrow keys change the tab. A problem leads to its icon on the page, and the icon to the problem.
    const [next, previous] =
      language === "ar"
        ? ["ArrowLeft", "ArrowRight"]
        : ["ArrowRight", "ArrowLeft"];
    await problemIcons(page).first().waitFor();
    await tab(page, marking.fieldsTab).focus();
    await page.keyboard.press(next);
    await button(page, marking.show).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedProblem(page)).toBe("BUTTON");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedProblem(page)).toBe("LI");
    // The second button makes the text a field.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedName(page)).toBe(DEPUTY[language]);
    await expect.poll(() => problemIcons(page).count()).toBe(0);

    // Enter accepts a field and goes to the next one. A name is corrected on the way.
    await nameInputs(page).first().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Day");
    for (let field = 0; field < 25; field += 1) {
      await page.keyboard.press("Enter");
      await expect.poll(() => checkedCount(page)).toBe(field + 2);
    }
    expect((await names(page))[0]).toBe("Day");
    await expect.poll(() => pageText(page)).toContain("[Day]");

    // A name without a change in it leaves undo and redo to the editor.
    await page.keyboard.press("Control+z");
    await expect.poll(() => checkedCount(page)).toBe(25);
    await page.keyboard.press("Control+y");
    await expect.poll(() => checkedCount(page)).toBe(26);

    // Any text can be searched for.
    const search = editor(page).getByRole("textbox", { name: marking.search });
    await search.focus();
    await page.keyboard.type(COMPANY[language]);
    await page.keyboard.press("Enter");
    await button(page, marking.makeField).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => checkedCount(page)).toBe(27);
    const marked = withoutSpaces(`[${COMPANY[language]}]`);
    await expect.poll(() => pageText(page)).toContain(marked);

    // The text of a deleted field comes back, and the focus stays in the list.
    await editor(page)
      .locator("li:has(input[data-name]) button")
      .last()
      .focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => nameInputs(page).count()).toBe(26);
    const clause = withoutSpaces(CLAUSE[language]);
    await expect.poll(() => pageText(page)).toContain(clause);
    await expect.poll(() => focusedName(page)).toBe(DEPUTY[language]);
    await page.keyboard.press("Control+z");
    await expect.poll(() => pageText(page)).toContain(marked);
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(() => pageText(page)).toContain(clause);
    await page.keyboard.press("Control+z");
    await expect.poll(() => checkedCount(page)).toBe(27);

    // So does the text of a field that is not accepted any more.
    const second = withoutSpaces(`[${LABELS[language][1]}]`);
    await editor(page).locator("li input[type=checkbox]").nth(1).focus();
    await page.keyboard.press("Space");
    await expect.poll(() => checkedCount(page)).toBe(26);
    await expect
      .poll(() => pageText(page))
      .toContain(withoutSpaces(`${LABELS[language][1]}: ${LINE}`));
    await page.keyboard.press("Control+z");
    await expect.poll(() => checkedCount(page)).toBe(27);
    await expect.poll(() => pageText(page)).toContain(second);

    // A new kind and a new name can be undone too.
    const kind = editor(page).locator("li select").nth(1);
    const kindBefore = await kind.inputValue();
    await kind.focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => kind.inputValue()).not.toBe(kindBefore);
    await page.keyboard.press("Control+z");
    await expect.poll(() => kind.inputValue()).toBe(kindBefore);
    await nameInputs(page).nth(1).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Somebody");
    await page.keyboard.press("Enter");
    await expect.poll(() => pageText(page)).toContain("[Somebody]");
    await page.keyboard.press("Control+z");
    await expect.poll(() => pageText(page)).toContain(second);

    // The test fill, and back.
    await tab(page, marking.fieldsTab).focus();
    await page.keyboard.press(next);
    await page.keyboard.press(next);
    await button(page, texts.publish.exampleValues).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => pageText(page))
      .toContain(
        withoutSpaces(`${LABELS[language][1]}: ${LABELS[language][1]}`),
      );
    await tab(page, marking.fillTab).focus();
    await page.keyboard.press(previous);
    await page.keyboard.press(previous);
    await expect.poll(() => pageText(page)).toContain(second);
    await page.keyboard.press("Control+y");
    await expect.poll(() => pageText(page)).toContain("[Somebody]");
    await page.keyboard.press("Control+z");
    await expect.poll(() => pageText(page)).toContain(second);

    await button(page, marking.apply).focus();
    await page.keyboard.press("Enter");
    await editor(page).waitFor({ state: "detached" });
    await button(page, marking.undoAll).waitFor();
    await page.locator("input[name=title]").fill(`Keyboard ${language}`);
    await page.locator("form button[type=submit]").last().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/documents");
    await expect.poll(async () => (await publishedFields())[0]).toBe("Day");
    expect(failures).toEqual([]);
    await context.close();
  });
});

it("marks optional text and repeated rows, and takes them back", async () => {
  const marking = interfaceTexts("en").marking;
  const { context, page, failures } = await openWindow(product, "en");
  await logIn(page);
  await page.locator("input[type=file]").setInputFiles(
    writeDocx(product, "optional", [
      "The tenant pays a deposit.",
      "Pets are allowed.",
      table([
        ["Thing", "Price"],
        ["Chair", "40"],
      ]),
    ]),
  );
  await button(page, marking.open).click();
  const search = editor(page).getByRole("textbox", { name: marking.search });
  const find = async (text: string) => {
    await search.fill(text);
    await page.keyboard.press("Enter");
  };
  await find("Pets are allowed.");
  await button(page, marking.makeOptional).click();
  await nameInputs(page).first().fill("Pets");
  for (const [text, name] of [
    ["Chair", "Thing"],
    ["40", "Price"],
  ] as const) {
    await find(text);
    await button(page, marking.makeField).click();
    await expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.getAttribute("data-name")),
      )
      .not.toBeNull();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(name);
  }
  await find("Chair");
  await button(page, marking.makeRow).click();
  await expect.poll(() => nameInputs(page).count()).toBe(4);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Things");
  await find("nowhere in it");
  await page.getByText(marking.notFound).waitFor();
  await takeScreenshot(page, "marking-optional-en");
  await button(page, marking.apply).click();
  await editor(page).waitFor({ state: "detached" });
  await page.getByText("{{#Pets}}").first().waitFor();
  await page.getByText("{{#Things}}").first().waitFor();

  // The editor opens with the fields as they were left, and the original file can be taken again.
  await button(page, marking.openAgain).click();
  await expect.poll(() => names(page)).toContain("Pets");
  await editor(page)
    .getByRole("button", { name: interfaceTexts("en").close })
    .click();
  await button(page, marking.undoAll).click();
  await button(page, marking.open).waitFor();
  expect(await page.getByText("{{#Pets}}").count()).toBe(0);
  expect(failures).toEqual([]);
  await context.close();
});

it("removes a problem of names at once when a field is renamed or deleted", async () => {
  const marking = interfaceTexts("en").marking;
  const { context, page, failures } = await openWindow(product, "en");
  await logIn(page);
  await page
    .locator("input[type=file]")
    .setInputFiles(
      writeDocx(product, "names", [
        "The rent is {{Monthly rent}}.",
        "It is paid to Harbour Bank.",
      ]),
    );
  await button(page, marking.open).click();
  const search = editor(page).getByRole("textbox", { name: marking.search });
  await search.fill("Harbour Bank");
  await page.keyboard.press("Enter");
  await button(page, marking.makeField).click();
  await expect.poll(() => focusedName(page)).toBe("Harbour Bank");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Monthly-rent");
  await page.keyboard.press("Enter");
  await problemIcons(page).first().waitFor();
  await tab(page, marking.problemsTab).click();
  await expect.poll(() => problems(page).count()).toBe(1);

  // The server does not respond any more: the editor removes the problem itself.
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/documents/check", async (route) => {
    await held;
    await route.continue();
  });
  await problems(page).getByRole("button").last().click();
  await expect.poll(() => focusedName(page)).toBe("Monthly-rent");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Bank");
  await page.keyboard.press("Enter");
  await expect.poll(() => problemIcons(page).count()).toBe(0);
  await page.keyboard.press("Control+z");
  await problemIcons(page).first().waitFor();
  await button(
    page,
    marking.remove.replace("{{name}}", "Monthly-rent"),
  ).click();
  await expect.poll(() => problemIcons(page).count()).toBe(0);
  release();
  await expect.poll(() => problems(page).count()).toBe(0);

  // On a narrow window and with large text the tabs are below the pages.
  await page.setViewportSize({ width: 320, height: 640 });
  for (const name of [marking.fieldsTab, marking.fillTab]) {
    await tab(page, name).click();
    const pages = await editor(page)
      .getByRole("region", { name: /names.docx/ })
      .boundingBox();
    const tabs = await editor(page).getByRole("tablist").boundingBox();
    expect(tabs?.y).toBeGreaterThanOrEqual(
      (pages?.y ?? 0) + (pages?.height ?? Infinity),
    );
    expect(
      await editor(page).evaluate(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    ).toBe(0);
  }
  expect(failures).toEqual([]);
  await context.close();
});
