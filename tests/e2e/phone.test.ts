// Tests on a phone: the application says that it is for desktops, but the links of mails, the legal pages, the login
// and the saved documents still open.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import {
  createAccount,
  callApi,
  codeInMail,
  linkInMail,
  waitForMail,
  clickAndWaitForText,
  createPerson,
  interfaceTexts,
} from "./people.ts";
import {
  downloadBy,
  startProduct,
  takeScreenshot,
  type Language,
  type Product,
} from "./product.ts";
import { saveDocument, textTemplate } from "./saved.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const text = interfaceTexts("en");

async function openPhone(language: Language = "en") {
  const context = await product.browser.newContext({
    viewport: { width: 390, height: 800 },
    locale: language,
    acceptDownloads: true,
    hasTouch: true,
    isMobile: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  return { context, page: await context.newPage() };
}
const notice = (page: Page) =>
  page.getByRole("heading", { name: text.mobile.title });

describe("on a phone", () => {
  it("a mailed link to a new password works to its end", async () => {
    const person = await createAccount(product);
    await callApi(product, "POST", "/auth/forgot-password", {
      email: person.email,
    });
    const link = linkInMail(
      await waitForMail(product, person.email, "reset-password"),
    );
    const { context, page } = await openPhone();
    await page.goto(link);
    const password = "Remembered-horse-7";
    await page.locator("[name=newPassword]").fill(password);
    await page.locator("[name=confirmation]").fill(password);
    await takeScreenshot(page, "phone-reset-en");
    await clickAndWaitForText(
      page,
      () => page.locator("button[type=submit]").click(),
      text.resetPage.done,
    );
    await page.waitForURL("**/login");
    const login = await callApi(product, "POST", "/auth/login", {
      email: person.email,
      password,
    });
    expect(login.status).toBe(200);
    await context.close();
  });

  it("the code of a mail can be entered, after a registration on a tablet that is turned", async () => {
    const person = createPerson();
    const { context, page } = await openPhone();
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto(`${product.address}/register`);
    await page.locator("[name=userName]").fill(person.userName);
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await page.locator("[name=confirmation]").fill(person.password);
    await page.locator("[name=terms]").check();
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/otp-verification");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator("[role=group] input").first().waitFor();
    await takeScreenshot(page, "phone-otp-en");
    const code = codeInMail(
      await waitForMail(product, person.email, "register-code"),
    );
    // The sixth digit submits the code.
    await clickAndWaitForText(
      page,
      () =>
        page
          .locator("[role=group] input")
          .first()
          .pressSequentially(code, { noWaitAfter: true }),
      text.otpPage.otpVerified,
    );
    // Of the application, only My documents opens on phones.
    await page.waitForURL("**/user-documents");
    await page.getByText(text.saved.empty).waitFor();
    await context.close();
  });

  it("a mailed link takes a change of address back, once somebody presses the button", async () => {
    const [person, thief] = [await createAccount(product), createPerson()];
    const as = (path: string, body: object) =>
      callApi(product, "POST", `/auth/${path}`, body, person.token);
    await as("change-email", { newEmail: thief.email });
    const otp = codeInMail(
      await waitForMail(product, thief.email, "change-email-code"),
    );
    const changed = await as("verify-change-email-otp", {
      newEmail: thief.email,
      otp,
    });
    expect(changed.status).toBe(200);
    const link = linkInMail(
      await waitForMail(product, person.email, "email-changed"),
    );
    const { context, page } = await openPhone();
    await page.goto(link);
    const button = page.getByRole("button", { name: text.restorePage.submit });
    await button.waitFor();
    expect(page.url()).not.toContain("token");
    await takeScreenshot(page, "phone-restore-en");
    expect(await accessibilityViolations(page)).toEqual([]);
    const login = (email: string) =>
      callApi(product, "POST", "/auth/login", {
        email,
        password: person.password,
      });
    // Opening the link, as a mail scanner does, has changed nothing.
    expect((await login(thief.email)).status).toBe(200);
    await button.click();
    await page.getByRole("heading", { name: text.restorePage.done }).waitFor();
    expect((await login(thief.email)).status).toBe(401);
    await waitForMail(product, person.email, "reset-password");
    await page.goto("about:blank");
    await page.goto(link);
    await button.click();
    await page.getByText(text.errors.invalid_restore_link).waitFor();
    await context.close();
  });

  it.each(["en", "ar"] as const)(
    "somebody logs in, and views, downloads, shares and prints a document, in %s",
    async (language) => {
      const texts = interfaceTexts(language);
      const person = await createAccount(product, createPerson(), language);
      const template = await textTemplate(product, language);
      await saveDocument(product, person.token, template, "Harbour 41");
      const { context, page } = await openPhone(language);
      // Headless Chromium cannot share with other apps or print.
      await page.addInitScript(() => {
        Object.assign(navigator, {
          canShare: () => true,
          share: ({ files }: { files: File[] }) => {
            document.body.setAttribute(
              "data-shared",
              files.map(({ name, type }) => `${name} ${type}`).join(),
            );
            return Promise.resolve();
          },
        });
        window.print = () => document.body.setAttribute("data-printed", "");
      });
      await page.goto(`${product.address}/login`);
      await page.locator("[name=email]").fill(person.email);
      await page.locator("[name=password]").fill(person.password);
      await takeScreenshot(page, `phone-login-${language}`);
      await page.locator("main button[type=submit]").click();
      // Nothing else opens on a phone.
      await page.waitForURL("**/user-home/user-documents");
      const hint = page.getByText(texts.documentPages.editOnComputer);
      await hint.waitFor();
      await page.locator("main li h2").waitFor();
      expect(await page.locator("main a[href*='form-document']").count()).toBe(
        0,
      );
      expect(await accessibilityViolations(page)).toEqual([]);
      await takeScreenshot(page, `phone-documents-${language}`);
      await page
        .getByRole("link", {
          name: texts.saved.viewOf.replace("{{title}}", template.title),
          exact: true,
        })
        .click();
      await page.locator("[data-page='0'][data-drawn]").waitFor();
      await hint.waitFor();
      expect(await page.locator("main a[href*='form-document']").count()).toBe(
        0,
      );
      expect(await accessibilityViolations(page)).toEqual([]);
      await takeScreenshot(page, `phone-document-${language}`);
      const press = (name: string) =>
        page.getByRole("button", { name, exact: true }).click();
      const { name } = await downloadBy(context, page, () =>
        press(texts.result.downloadPdf),
      );
      await press(texts.documentPages.share);
      expect(
        await page.locator("[data-shared]").getAttribute("data-shared"),
      ).toBe(`${name} application/pdf`);
      await press(texts.documentPages.print);
      await page.locator("[data-printed]").waitFor({ state: "attached" });
      await context.close();
    },
  );

  it("a page that is not for phones leads to the documents", async () => {
    const { context, page } = await openPhone();
    await page.goto(`${product.address}/user-home/user-all-documents`);
    await page.getByRole("link", { name: text.saved.title }).click();
    await page.waitForURL("**/login");
    await page.getByRole("link", { name: text.register }).click();
    await page.locator("[name=confirmation]").waitFor();
    expect(await notice(page).count()).toBe(0);
    await page.setViewportSize({ width: 320, height: 640 });
    await takeScreenshot(page, "phone-register-en");
    await context.close();
  });

  it.each(["/terms", "/privacy", "/forgot-password", "/restore-email"])(
    "%s opens",
    async (path) => {
      const { context, page } = await openPhone();
      await page.goto(product.address + path);
      await page.locator("h1, h2").first().waitFor();
      expect(await notice(page).count()).toBe(0);
      await context.close();
    },
  );

  it("a tablet that is turned keeps the form and what was typed there", async () => {
    const context = await product.browser.newContext({
      viewport: { width: 1024, height: 768 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await page.goto(`${product.address}/user-home/help-center`);
    const message = page.locator("textarea[name=message]");
    await message.fill("typed before the turn");
    await page.setViewportSize({ width: 768, height: 1024 });
    await notice(page).waitFor();
    expect(await message.isVisible()).toBe(false);
    await takeScreenshot(page, "tablet-turned-en");
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 1024, height: 768 });
    await notice(page).waitFor({ state: "detached" });
    expect(await message.inputValue()).toBe("typed before the turn");
    await context.close();
  });

  it("anything else says that it wants a desktop, and has a way on", async () => {
    const { context, page } = await openPhone();
    const address = `${product.address}/user-home/user-all-documents?lang=fr`;
    await page.goto(address);
    await notice(page).waitFor();
    await takeScreenshot(page, "phone-notice-en");
    const home = page.getByRole("link", { name: text.mobile.home });
    expect(await home.getAttribute("href")).toBe("/user-home");
    expect(await accessibilityViolations(page)).toEqual([]);
    // Headless Chromium cannot share with other apps, so the link is copied.
    await page.evaluate(() =>
      Reflect.deleteProperty(Navigator.prototype, "share"),
    );
    await clickAndWaitForText(
      page,
      () => page.getByRole("button", { name: text.mobile.sendLink }).click(),
      text.mobile.linkCopied,
    );
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      address,
    );
    await page.getByRole("link", { name: text.legal.privacy }).click();
    await page.locator("section section h2").first().waitFor();
    await context.close();
  });
});
