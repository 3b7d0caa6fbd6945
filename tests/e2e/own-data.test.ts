// Tests of the account as a whole, in the three languages: the export of all data, and the deletion of the
// account.
import { inflateRawSync } from "node:zlib";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import {
  createAccount,
  callApi,
  codeInMail,
  fillLogin,
  logIn,
  waitForMail,
  clickAndWaitForText,
  interfaceTexts,
} from "./people.ts";
import {
  takeScreenshot,
  downloadBy,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const SETTINGS = "/user-home/user-account-setting";
const ARABIC_DIGITS = (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

/** Returns the files of a zip by name, as its central directory lists them (APPNOTE 4.3.12). */
function unzip(zip: Uint8Array): Map<string, string> {
  const bytes = Buffer.from(zip);
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const files = new Map<string, string>();
  let entry = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((at) =>
      bytes.readUInt16LE(entry + at),
    ) as [number, number, number];
    const local = bytes.readUInt32LE(entry + 42);
    const start =
      local +
      30 +
      bytes.readUInt16LE(local + 26) +
      bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(
      start,
      start + bytes.readUInt32LE(entry + 20),
    );
    const deflated = bytes.readUInt16LE(entry + 10) === 8;
    files.set(
      bytes.toString("utf8", entry + 46, entry + 46 + name),
      (deflated ? inflateRawSync(packed) : packed).toString("utf8"),
    );
    entry += 46 + name + extra + comment;
  }
  return files;
}

/** Opens the deletion dialog of the logged-in user. */
async function openDeletionDialog(page: Page, language: Language) {
  const text = interfaceTexts(language);
  await page.goto(product.address + SETTINGS);
  await page.getByRole("button", { name: text.ownData.deleteButton }).click();
  const dialog = page.getByRole("dialog", { name: text.ownData.deleteTitle });
  await dialog.waitFor();
  return dialog;
}

describe.each(["en", "fr", "ar"] as Language[])("in %s", (language) => {
  const text = interfaceTexts(language);

  it("everything that is kept is one download", async () => {
    const { context, page, failures } = await openWindow(product, language);
    const person = await createAccount(product, undefined, language);
    await callApi(
      product,
      "POST",
      "/support-messages",
      { message: "My question" },
      person.token,
    );
    await logIn(product, page, person);
    await page.goto(product.address + SETTINGS);
    await page
      .getByRole("button", { name: text.ownData.exportButton })
      .scrollIntoViewIfNeeded();
    await takeScreenshot(page, `own-data-${language}`, true);
    expect(await accessibilityViolations(page)).toEqual([]);
    // The response is delayed, so that the progress can be seen.
    let answer: () => void = () => undefined;
    const held = new Promise<void>((go) => (answer = go));
    await page.route("**/users/me/export", async (route) => {
      await held;
      await route.continue();
    });
    const press = async () => {
      await page
        .getByRole("button", { name: text.ownData.exportButton })
        .click();
      await page.getByText(text.ownData.exporting).waitFor();
      answer();
    };
    const { name, bytes } = await downloadBy(context, page, press);
    expect(name).toMatch(/^waraq-\d{4}-\d\d-\d\d\.zip$/);
    const files = unzip(bytes);
    const inside = (member: string) => files.get(member) ?? "";
    expect(JSON.parse(inside("account.json"))).toMatchObject({
      email: person.email,
      userName: person.userName,
      language,
    });
    expect(inside("support-messages.json")).toContain("My question");
    await page.unroute("**/users/me/export");
    await page.route("**/users/me/export", (route) => route.abort(), {
      times: 1,
    });
    const [stem = ""] = text.ownData.exportFailed.split("{{");
    await clickAndWaitForText(
      page,
      () =>
        page.getByRole("button", { name: text.ownData.exportButton }).click(),
      stem.trim(),
    );
    expect(failures.filter((said) => !said.includes("ERR_FAILED"))).toEqual([]);
    await context.close();
  });

  it("by the password: refused, called off, gone", async () => {
    const { context, page } = await openWindow(product, language);
    const person = await createAccount(product, undefined, language);
    await logIn(product, page, person, true);
    const dialog = await openDeletionDialog(page, language);
    await takeScreenshot(page, `deletion-${language}`);
    const submit = () => dialog.locator("button[type=submit]").click();
    await submit();
    await dialog.getByText(text.ownData.passwordRequired).waitFor();
    await dialog.locator("[name=password]").fill("not the password");
    await submit();
    await dialog.getByText(text.ownData.wrongPassword).waitFor();
    expect(
      await page.evaluate(() => document.activeElement?.getAttribute("name")),
    ).toBe("password");
    await takeScreenshot(page, `deletion-refused-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: text.cancel }).click();
    await dialog.waitFor({ state: "detached" });
    // Unsaved changes do not stop the deletion.
    await page.locator("[name=userName]").fill("Changed");
    await page.getByRole("button", { name: text.ownData.deleteButton }).click();
    await dialog.locator("[name=password]").fill(person.password);
    await submit();
    await page.waitForURL("**/user-home/user-all-documents**");
    await page.getByText(text.accountDeleted.title).waitFor();
    await page.locator("ul[aria-label] li").first().waitFor();
    await takeScreenshot(page, `deleted-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(
      await page.evaluate(() =>
        [localStorage, sessionStorage].some(
          (area) => area.getItem("token") || area.getItem("user"),
        ),
      ),
    ).toBe(false);
    const mail = await waitForMail(product, person.email, "account-deleted");
    expect(mail.language).toBe(language);
    // The login fails, and does not reveal that the account existed.
    await page.getByRole("button", { name: text.login, exact: true }).click();
    await fillLogin(page, person);
    await page.locator("main button[type=submit]").click();
    await page.getByText(text.loginPage.invalidCredentials).waitFor();
    await context.close();
  });

  it("by a mailed code, typed in the digits of the language", async () => {
    const { context, page } = await openWindow(product, language);
    const person = await createAccount(product, undefined, language);
    await logIn(product, page, person);
    const dialog = await openDeletionDialog(page, language);
    await clickAndWaitForText(
      page,
      () => dialog.getByText(text.ownData.mailCode).click(),
      text.otpPage.codeSent,
    );
    const mail = await waitForMail(product, person.email, "deletion-code");
    expect(mail.language).toBe(language);
    const code = codeInMail(mail);
    const typed = language === "ar" ? ARABIC_DIGITS(code) : code;
    await dialog.getByText(person.email).waitFor();
    await dialog
      .locator("[name=code]")
      .fill(`${code.slice(0, 5)}${(Number(code[5]) + 1) % 10}`);
    await dialog.locator("button[type=submit]").click();
    await dialog.getByText(text.errors.invalid_otp).waitFor();
    await takeScreenshot(page, `deletion-code-${language}`);
    await dialog.locator("[name=code]").fill(typed);
    await dialog.locator("button[type=submit]").click();
    await page.getByText(text.accountDeleted.title).waitFor();
    expect(
      (await callApi(product, "GET", "/users/me", undefined, person.token))
        .status,
    ).toBe(401);
    await context.close();
  });

  it("the last admin is told why not", async () => {
    const { context, page } = await openWindow(product, language);
    await logIn(product, page, product.admin);
    await page.goto(`${product.address}/account-setting`);
    // The admin's account may have any language.
    await page.locator("header input[aria-label]").last().click();
    await page
      .getByRole("option")
      .nth(["en", "fr", "ar"].indexOf(language))
      .click();
    await page.getByRole("button", { name: text.ownData.deleteButton }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=password]").fill(product.admin.password);
    await dialog.locator("button[type=submit]").click();
    await dialog.getByText(text.errors.last_admin).waitFor();
    await context.close();
  });

  it("how long everything is kept stands on the privacy page", async () => {
    const { context, page } = await openWindow(product, language);
    await page.goto(`${product.address}/privacy`);
    await page.getByText("35").first().waitFor();
    await takeScreenshot(page, `privacy-${language}`);
    await context.close();
  });
});
