// Tests of saved answers: earlier values are offered at fields of the same meaning, in other templates and
// languages. They are listed and can be erased.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { storedEntries } from "./device.ts";
import { createAccount, callApi, logIn, interfaceTexts } from "./people.ts";
import {
  waitForResult,
  takeScreenshot,
  startProduct,
  openWindow,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const NAME = "Amina Ben Salah";
const ADDRESS = "5, rue du Lac\n1053 Tunis";

const openForm = async (page: Page, template: string) => {
  await page.goto(
    `${product.address}/user-home/form-document?document=${template}`,
  );
  await page.locator("main form textarea").first().waitFor();
};
const input = (page: Page, name: string) =>
  page.getByRole("textbox", { name, exact: true });
const list = (page: Page, name: string) => page.getByRole("listbox", { name });

/** Fills in a letter of resignation in English. */
async function fillLetter(page: Page, text: ReturnType<typeof interfaceTexts>) {
  await input(page, "Your full name").fill(NAME);
  await input(page, "Your address").fill(ADDRESS);
  await input(page, "Company name").fill("Lac SARL");
  await input(page, "Letter date").fill("1 June 2027");
  await page.getByRole("button", { name: text.form.generate }).click();
  await waitForResult(page);
}

const stored = async (page: Page) => {
  const [entry] = await storedEntries(page, "answers");
  return entry ? JSON.stringify(entry.value) : null;
};

const pageShows = (page: Page, shown: string) =>
  expect
    .poll(async () =>
      ((await page.locator("[data-page='0']").textContent()) ?? "").replace(
        /\s+/g,
        " ",
      ),
    )
    .toContain(shown);

/** Opens another browser and logs the person in. */
async function logInElsewhere(person: { email: string; password: string }) {
  const other = await openWindow(product, "en");
  await logIn(product, other.page, person);
  return other;
}

describe("known answers of a guest", () => {
  it("stay on his device, are offered in another language, and are listed and erased", async () => {
    const text = interfaceTexts("en");
    const { context, page, failures } = await openWindow(product, "en");
    await openForm(page, "en-letter-of-resignation");
    // Answers are saved only after the user agrees. The switch says where they are saved.
    const remember = page.getByRole("switch", {
      name: text.answers.remember.device,
    });
    expect(await remember.isChecked()).toBe(false);
    await page.getByText(text.answers.rememberHint.device).waitFor();
    await fillLetter(page, text);
    expect(await stored(page)).toBeNull();
    await page.goBack();
    await remember.check();
    await fillLetter(page, text);
    await expect.poll(() => stored(page)).toContain(NAME);
    expect(await stored(page)).not.toContain("2027");

    // In another template, in Arabic: offered on focus, chosen by keyboard, shown on the page, undone by the
    // browser.
    await openForm(page, "ar-resignation");
    const name = input(page, "اسم الموظف");
    await name.focus();
    const offered = list(page, text.answers.offered);
    await offered.waitFor();
    await page.locator("[data-page='0'] canvas").waitFor();
    await takeScreenshot(page, "known-answers-offered-en");
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    expect(
      await name.evaluate(
        (it) =>
          document.getElementById(
            it.getAttribute("aria-activedescendant") ?? "",
          )?.textContent,
      ),
    ).toBe(NAME);
    await page.keyboard.press("Enter");
    expect(await name.inputValue()).toBe(NAME);
    await offered.waitFor({ state: "detached" });
    await pageShows(page, NAME);
    await page.keyboard.press("Control+z");
    expect(await name.inputValue()).toBe("");
    // Typed text filters the offers regardless of case and accents. Escape closes them; Tab moves on and
    // chooses nothing.
    await name.pressSequentially("âmi");
    await offered.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await offered.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("âmi");
    await name.pressSequentially("nx");
    await page.keyboard.press("Tab");
    expect(await name.inputValue()).toBe("âminx");
    const company = input(page, "اسم جهة العمل");
    await company.click();
    await offered.getByRole("option", { name: "Lac SARL" }).click();
    expect(await company.inputValue()).toBe("Lac SARL");
    // Dates are not saved.
    await input(page, "تاريخ الخطاب").focus();
    await offered.waitFor({ state: "detached" });
    // In a field of several lines the arrow keys move the caret.
    await openForm(page, "ar-residential-lease");
    await input(page, "عنوان المؤجر").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await input(page, "عنوان المؤجر").inputValue()).toBe(ADDRESS);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    expect(
      (await input(page, "عنوان المؤجر").inputValue()).split("\n").length,
    ).toBe(3);
    // Identity numbers are not offered.
    await input(page, "الرقم القومي للمؤجر").focus();
    expect(await offered.count()).toBe(0);

    await page.getByRole("link", { name: text.answers.show }).click();
    await page.getByRole("heading", { name: text.answers.title }).waitFor();
    await page.getByText(NAME, { exact: true }).waitFor();
    await takeScreenshot(page, "known-answers-page-en");
    expect(await accessibilityViolations(page)).toEqual([]);
    const erase = (value: string) =>
      page.getByRole("button", {
        name: text.answers.erase.replace("{{value}}", value),
      });
    await erase(NAME).focus();
    await page.keyboard.press("Enter");
    await erase(NAME).waitFor({ state: "detached" });
    // The next answer has the focus.
    expect(
      await page.evaluate(() =>
        document.activeElement?.getAttribute("aria-label"),
      ),
    ).toContain(text.answers.erase.split("{{")[0]);
    await page.reload();
    await erase("Lac SARL").waitFor();
    expect(await erase(NAME).count()).toBe(0);
    await page.getByRole("button", { name: text.answers.eraseAll }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: text.answers.eraseAll })
      .click();
    await page.getByText(text.answers.none).waitFor();
    expect(await stored(page)).toBe('{"on":true,"answers":[]}');
    await remember.uncheck();
    await expect.poll(() => stored(page)).toBeNull();
    expect(failures).toEqual([]);
    await context.close();
  }, 240_000);

  it("are said and shown in Arabic, from right to left, at 400 %", async () => {
    const text = interfaceTexts("ar");
    const { context, page, failures } = await openWindow(product, "ar", true);
    await openForm(page, "ar-certificate-of-employment");
    await page.evaluate(() =>
      localStorage.setItem(
        "knownAnswers",
        JSON.stringify({
          on: true,
          answers: [
            { meaning: "name", value: "Amina Ben Salah", parties: [] },
            { meaning: "name", value: "سلمى الزهراني", parties: ["employee"] },
          ],
        }),
      ),
    );
    await page.reload();
    const name = input(page, "اسم الموظف");
    await name.focus();
    const offered = list(page, text.answers.offered);
    await offered.waitFor();
    // Answers of the same party come first.
    expect(await offered.getByRole("option").allTextContents()).toEqual([
      "سلمى الزهراني",
      "Amina Ben Salah",
    ]);
    await takeScreenshot(page, "known-answers-offered-ar");
    await page.setViewportSize({ width: 320, height: 256 });
    await name.blur();
    await name.focus();
    await page.keyboard.press("ArrowDown");
    const seen = await offered
      .getByRole("option", { selected: true })
      .evaluate((it) => {
        const { top, bottom, left, right } = it.getBoundingClientRect();
        return (
          top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
        );
      });
    expect(seen).toBe(true);
    await takeScreenshot(page, "known-answers-offered-ar-400");
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await name.inputValue()).toBe("سلمى الزهراني");
    expect(failures).toEqual([]);
    await context.close();
  }, 120_000);
});

describe("known answers of an account", () => {
  it("come along, are nobody else's, take a guest's over and end with the switch", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const other = await createAccount(product);
    const contexts: BrowserContext[] = [];

    // The person starts as a guest and then logs in.
    const here = await openWindow(product, "en");
    contexts.push(here.context);
    const { page } = here;
    await openForm(page, "en-letter-of-resignation");
    await page
      .getByRole("switch", { name: text.answers.remember.device })
      .check();
    await fillLetter(page, text);
    await expect.poll(() => stored(page)).toContain(NAME);
    await logIn(product, page, person, true);
    await openForm(page, "en-certificate-of-employment");
    const remember = page.getByRole("switch", {
      name: text.answers.remember.account,
    });
    await expect.poll(() => remember.isEnabled()).toBe(true);
    expect(await remember.isChecked()).toBe(false);
    // The answers on the device are not those of the account.
    await input(page, "Employee full name").focus();
    expect(await list(page, text.answers.offered).count()).toBe(0);
    await remember.check();
    await page
      .getByRole("button", { name: text.answers.takeOver, exact: true })
      .waitFor();
    await takeScreenshot(page, "known-answers-take-over", true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page
      .getByRole("button", { name: text.answers.takeOver, exact: true })
      .click();
    await expect.poll(() => stored(page)).toBeNull();
    await input(page, "Employee full name").focus();
    await page.getByRole("option", { name: NAME }).click();
    await input(page, "Employer name").fill("Société du Lac");
    await page.getByRole("button", { name: text.form.generate }).click();
    await waitForResult(page);
    const answers = async (token: string) =>
      (await callApi(product, "GET", "/users/me/answers", undefined, token))
        .body as { on?: boolean; answers?: { value: string }[] };
    await expect
      .poll(async () =>
        (await answers(person.token)).answers?.map(({ value }) => value),
      )
      .toContain("Société du Lac");
    expect(await stored(page)).toBeNull();

    // The account's answers appear on another device, and deletions there apply everywhere.
    const there = await logInElsewhere(person);
    contexts.push(there.context);
    await openForm(there.page, "fr-attestation-de-travail");
    await input(there.page, "Nom du salarié").focus();
    await there.page.getByRole("option", { name: NAME }).click();
    await pageShows(there.page, NAME);
    await there.page.goto(`${product.address}/user-home/user-account-setting`);
    await there.page.getByRole("link", { name: text.answers.show }).click();
    await there.page
      .getByRole("button", {
        name: text.answers.erase.replace("{{value}}", NAME),
      })
      .click();
    await expect
      .poll(async () =>
        (await answers(person.token)).answers?.map(({ value }) => value),
      )
      .not.toContain(NAME);
    await takeScreenshot(there.page, "known-answers-account");

    // Another user of this device does not see them, nor does a guest.
    await page.goto(`${product.address}/user-home/user-answers`);
    await page.getByText("Société du Lac", { exact: true }).waitFor();
    await page.getByRole("button", { name: text.logout }).click();
    await page.waitForURL("**/login");
    await openForm(page, "en-certificate-of-employment");
    await input(page, "Employer name").focus();
    expect(await list(page, text.answers.offered).count()).toBe(0);
    await logIn(product, page, other);
    await page.goto(`${product.address}/user-home/user-answers`);
    await expect.poll(() => remember.isEnabled()).toBe(true);
    expect(await remember.isChecked()).toBe(false);
    expect(await page.getByText("Société du Lac").count()).toBe(0);

    // Switching off asks for confirmation, and erases the answers.
    const off = there.page.getByRole("switch", {
      name: text.answers.remember.account,
    });
    await off.click();
    await there.page
      .getByRole("dialog")
      .getByRole("button", { name: text.answers.offConfirm })
      .click();
    await expect.poll(() => off.isChecked()).toBe(false);
    // The switch changes before the server has answered.
    await expect
      .poll(() => answers(person.token))
      .toEqual({ on: false, answers: [] });
    expect([...here.failures, ...there.failures]).toEqual([]);
    for (const context of contexts) await context.close();
  }, 240_000);

  it("have no part in what an admin tries out", async () => {
    const text = interfaceTexts("en");
    const { context, page } = await openWindow(product, "en");
    const { body } = await callApi(
      product,
      "POST",
      "/auth/login",
      product.admin,
    );
    const token = body.token ?? "";
    await callApi(product, "PUT", "/users/me/answers", { on: true }, token);
    const known = [{ meaning: "name", value: NAME }];
    await callApi(
      product,
      "POST",
      "/users/me/answers",
      { answers: known },
      token,
    );
    await logIn(product, page, product.admin);
    await page.goto(
      `${product.address}/documents/form-document?document=en-letter-of-resignation`,
    );
    await input(page, "Your full name").click();
    expect(await list(page, text.answers.offered).count()).toBe(0);
    expect(await page.getByRole("switch").count()).toBe(1);
    await input(page, "Your full name").fill("Somebody of a trial");
    await page.getByRole("button", { name: text.form.generate }).click();
    await page.waitForURL("**/document-result**");
    await page.locator("[data-drawn]").first().waitFor();
    const after = await callApi(
      product,
      "GET",
      "/users/me/answers",
      undefined,
      token,
    );
    expect(JSON.stringify(after.body)).not.toContain("trial");
    await context.close();
  }, 120_000);
});
