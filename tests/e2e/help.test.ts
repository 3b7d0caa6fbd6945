// Tests of the help center in the three languages, for guests and users: sending, refusals, rate limits and a
// lost network.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { storedEntries } from "./device.ts";
import {
  createAccount,
  callApi,
  fillLogin,
  logIn,
  waitForMail,
  clickAndWaitForText,
  createPerson,
  interfaceTexts,
} from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";

const SUPPORT = "support@waraq.localhost";
const HELP = "/user-home/help-center";

const QUESTIONS: Record<Language, string> = {
  en: "How do I print\non both sides?",
  fr: "Comment imprimer\nrecto verso ?",
  ar: "كيف أطبع\nعلى الوجهين؟",
};

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const message = (page: Page) => page.locator("textarea[name=message]");
const email = (page: Page) => page.locator("input[name=email]");
const submit = (page: Page) => page.locator("main button[type=submit]").click();
/** Returns the name of the focused field. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("name"));
/** Returns the number of mailed messages with this text. */
const sent = async (text: string) => {
  const mails = await fetch(`${product.address}/dev/mail.json`);
  return ((await mails.json()) as { kind: string; text: string }[]).filter(
    (mail) => mail.kind === "support-message" && mail.text.includes(text),
  ).length;
};

describe.each(["en", "fr", "ar"] as Language[])("in %s", (language) => {
  const text = interfaceTexts(language);

  it("a guest writes, and the answer goes to the address of the guest", async () => {
    const { context, page, failures } = await openWindow(product, language);
    const { email: address } = createPerson();
    await page.goto(product.address);
    await page.locator("footer").getByText(text.helpCenter).click();
    await page.waitForURL(`**${HELP}`);
    await expect.poll(() => page.title()).toContain(text.helpCenter);
    await submit(page);
    await page.getByText(text.helpPage.emailRequired).waitFor();
    await page.getByText(text.helpPage.messageRequired).waitFor();
    expect(await focused(page)).toBe("email");
    // Five questions are answered without a message.
    const questions = page.locator("main details");
    await expect.poll(() => questions.count()).toBe(5);
    await questions.first().locator("summary").click();
    await page.getByText(text.helpQuestions.accountAnswer).waitFor();
    // An address without an ending is pointed out when it is left.
    await email(page).fill("rania@example");
    await message(page).focus();
    await page.getByText(text.emailIncomplete).waitFor();
    await email(page).fill("nonsense");
    await message(page).fill("x".repeat(5001));
    await submit(page);
    await page.locator("textarea[aria-invalid=true]").waitFor();
    expect(await focused(page)).toBe("message");
    await takeScreenshot(page, `help-refused-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);

    // Errors that only the server can detect are shown next to the field too.
    await message(page).fill(QUESTIONS[language]);
    await submit(page);
    await page.getByText(text.errors.invalid_email).waitFor();
    expect(await focused(page)).toBe("email");
    await email(page).fill("أمينة@example.org");
    await submit(page);
    await page.getByText(text.errors.undeliverable_email).waitFor();

    await email(page).fill(address);
    await page.reload();
    expect(await email(page).inputValue()).toBe(address);
    expect(await message(page).inputValue()).toBe(QUESTIONS[language]);
    await takeScreenshot(page, `help-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await clickAndWaitForText(
      page,
      () => submit(page),
      text.helpPage.supportmessage,
    );
    await expect.poll(() => message(page).inputValue()).toBe("");
    expect(await email(page).inputValue()).toBe(address);
    const mail = await waitForMail(product, SUPPORT, "support-message", (one) =>
      one.text.includes(address),
    );
    expect(mail).toMatchObject({ language, replyTo: address });
    expect(mail.text).toContain(QUESTIONS[language]);
    expect(failures.filter((said) => !said.includes("status of 400"))).toEqual(
      [],
    );
    await context.close();
  });

  it("somebody logged in cannot write from another address, and too often not at all", async () => {
    const { context, page } = await openWindow(product, language);
    const person = await createAccount(product, undefined, language);
    await logIn(product, page, person);
    await page.getByRole("link", { name: text.helpCenter }).first().click();
    await page.waitForURL(`**${HELP}`);
    expect(await email(page).inputValue()).toBe(person.email);
    expect(await email(page).getAttribute("readonly")).not.toBeNull();
    await takeScreenshot(page, `help-logged-in-${language}`);
    for (let number = 1; number <= 5; number += 1) {
      await message(page).fill(`${QUESTIONS[language]} ${number}`);
      await clickAndWaitForText(
        page,
        () => submit(page),
        text.helpPage.supportmessage,
      );
      await expect.poll(() => message(page).inputValue()).toBe("");
      await page
        .getByText(text.helpPage.supportmessage)
        .first()
        .waitFor({ state: "detached" });
    }
    await message(page).fill("One too many");
    const [stem = ""] = text.errors.too_many_attempts_other.split("{{");
    await clickAndWaitForText(page, () => submit(page), stem.trim());
    expect(await message(page).inputValue()).toBe("One too many");
    const mail = await waitForMail(product, SUPPORT, "support-message", (one) =>
      one.text.includes(person.email),
    );
    expect(mail.text).toContain(person.userName);
    await context.close();
  });

  it("a failure is said and loses nothing, and trying again sends once", async () => {
    const { context, page } = await openWindow(product, language);
    const { email: address } = createPerson();
    const question = `${QUESTIONS[language]} ${address}`;
    await page.goto(product.address + HELP);
    await email(page).fill(address);
    await message(page).fill(question);
    // The request arrives, but its response is lost.
    await page.route(
      "**/support-messages",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await clickAndWaitForText(page, () => submit(page), text.helpPage.failed);
    await takeScreenshot(page, `help-failed-${language}`);
    expect(await message(page).inputValue()).toBe(question);
    await page.reload();
    await message(page).waitFor();
    await clickAndWaitForText(
      page,
      () => submit(page),
      text.helpPage.supportmessage,
    );
    await waitForMail(product, SUPPORT, "support-message", (mail) =>
      mail.text.includes(address),
    );
    expect(await sent(question)).toBe(1);
    await context.close();
  });
});

it("an ended session keeps the text, and a logout forgets it", async () => {
  const text = interfaceTexts("en");
  const { context, page } = await openWindow(product, "en");
  const person = await createAccount(product);
  await logIn(product, page, person);
  await page.goto(product.address + HELP);
  await message(page).fill("A private matter");
  await callApi(
    product,
    "POST",
    "/auth/change-password",
    { oldPassword: person.password, newPassword: "Elsewhere-changed-1" },
    person.token,
  );
  await submit(page);
  const dialog = page.getByRole("dialog");
  await dialog.locator("[name=password]").waitFor();
  await fillLogin(dialog as unknown as Page, {
    email: person.email,
    password: "Elsewhere-changed-1",
  });
  await dialog.locator("button[type=submit]").click();
  await dialog.waitFor({ state: "detached" });
  expect(await message(page).inputValue()).toBe("A private matter");
  await page.getByRole("button", { name: text.logout }).click();
  await page.waitForURL("**/login");
  await page.goto(product.address + HELP);
  await email(page).waitFor();
  expect(await message(page).inputValue()).toBe("");
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(
    "private",
  );
  expect(await storedEntries(page, "message")).toEqual([]);
  await context.close();
});

describe("a link that is pressed while the start leads to the catalogue leads where it says", () => {
  const { helpCenter } = interfaceTexts("en");
  const link = "footer a[href$='/help-center']";

  it("as soon as it appears", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.addInitScript((selector) => {
      new MutationObserver((_, observer) => {
        const appeared = document.querySelector<HTMLAnchorElement>(selector);
        if (!appeared) return;
        observer.disconnect();
        appeared.click();
      }).observe(document, { childList: true, subtree: true });
    }, link);
    await page.goto(product.address);
    await expect.poll(() => page.title()).toContain(helpCenter);
    expect(new URL(page.url()).pathname).toBe(HELP);
    await context.close();
  });

  it("while the list is loading", async () => {
    const { context, page } = await openWindow(product, "en");
    let release = () => {};
    const released = new Promise<void>((done) => (release = done));
    await page.route("**/api/v1/documents?**", async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    await page.goto(product.address);
    await page.locator(link).click();
    await message(page).waitFor();
    release();
    await expect.poll(() => page.title()).toContain(helpCenter);
    expect(new URL(page.url()).pathname).toBe(HELP);
    await context.close();
  });
});

it.each(["/login", "/forgot-password"])(
  "an address without an ending is pointed out at %s",
  async (path) => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}${path}`);
    await email(page).fill("rania@example");
    await page.keyboard.press("Tab");
    await page.getByText(interfaceTexts("en").emailIncomplete).waitFor();
    await context.close();
  },
);
