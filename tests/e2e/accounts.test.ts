// The whole life of an account in the three languages, with the codes of its mails.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createAccount,
  callApi,
  codeInMail,
  fillLogin,
  linkInMail,
  logIn,
  waitForMail,
  clickAndWaitForText,
  createPerson,
  typeCode,
  interfaceTexts,
} from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";

const OPERATOR = {
  name: "Dār al-Waraq SARL",
  seat: "12 rue du Livre, 1000 Tunis",
  contact: "legal@waraq.example",
};

let product: Product;
beforeAll(async () => {
  const operator = Object.values(OPERATOR).join(";");
  product = await startProduct([
    "--limits-factor",
    "100",
    "--operator",
    operator,
  ]);
});
afterAll(() => product?.stop());

const settings = "/user-home/user-account-setting";
const stored = (page: Page, place: "localStorage" | "sessionStorage") =>
  page.evaluate((area) => Object.keys(window[area]).sort(), place);
/** A photo of 1,200 × 800 pixels, larger than the stored size. */
const photo = resolve(import.meta.dirname, "../../docs/waraq.png");

const NAMES: Record<Language, string> = {
  en: "Amelia Harbour",
  fr: "Élise Cœur",
  ar: "أمل بن صالح",
};
const ARABIC_DIGITS = (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

describe.each(["en", "fr", "ar"] as Language[])(
  "the life of an account in %s",
  (language) => {
    const text = interfaceTexts(language);
    const person = createPerson(NAMES[language]);

    it("registers, with every check on the way, and proves the address", async () => {
      const { context, page } = await openWindow(product, language);
      await page.goto(
        `${product.address}/user-home/user-all-documents?lang=en`,
      );
      await page.getByRole("button", { name: text.register }).click();
      await page.waitForURL("**/register");
      const submit = page.locator("button[type=submit]");
      await submit.click();
      await page.getByText(text.registerPage.errorFillFields).waitFor();
      await takeScreenshot(page, `register-empty-${language}`);
      await page.locator("[name=userName]").fill(person.userName);
      await page.locator("[name=email]").fill(person.email);
      await page.locator("[name=password]").fill("abc");
      await page
        .getByText(text.password["very-weak"], { exact: true })
        .waitFor();
      await page.locator("[name=password]").fill(person.password);
      await page.getByText(text.password.strong, { exact: true }).waitFor();
      await page.locator("[name=confirmation]").fill("something else");
      await submit.click();
      await page.getByText(text.registerPage.errorPasswordsMismatch).waitFor();
      await takeScreenshot(page, `register-mismatch-${language}`);
      await page.locator("[name=confirmation]").fill(person.password);
      await submit.click();
      await page.getByText(text.registerPage.errorAgreeTerms).waitFor();
      await page.locator("[name=terms]").check();
      await takeScreenshot(page, `register-${language}`);
      await clickAndWaitForText(
        page,
        () => submit.click(),
        text.registerPage.registrationSuccess,
      );
      await page.waitForURL("**/otp-verification");
      await page.getByText(person.email).waitFor();
      await takeScreenshot(page, `otp-${language}`);
      await submit.click();
      const incomplete = page.getByText(text.otpPage.enterAllOtp);
      await incomplete.waitFor();
      const mail = await waitForMail(product, person.email, "register-code");
      expect(mail.language).toBe(language);
      const code = codeInMail(mail);
      // Only the last digit is wrong, so the right code is typed over it. The sixth digit submits a code.
      let attempts = 0;
      page.on("request", (request) => {
        if (request.url().endsWith("/auth/verify-otp")) attempts += 1;
      });
      const wrong = `${code.slice(0, 5)}${(Number(code[5]) + 1) % 10}`;
      await typeCode(page, wrong);
      await page.getByText(text.errors.invalid_otp).waitFor();
      expect(await incomplete.count()).toBe(0);
      await takeScreenshot(page, `otp-wrong-${language}`);

      // Each language enters the code in its own way: typed, pasted, or typed in Arabic digits.
      const enterCode = async () => {
        if (language !== "fr")
          return typeCode(page, language === "ar" ? ARABIC_DIGITS(code) : code);
        await page
          .locator("[role=group] input")
          .nth(3)
          .evaluate((box, pasted) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData(
              "text",
              ` ${pasted.slice(0, 3)} ${pasted.slice(3)}\n`,
            );
            box.dispatchEvent(
              new ClipboardEvent("paste", { clipboardData, bubbles: true }),
            );
          }, code);
      };
      await clickAndWaitForText(page, enterCode, text.otpPage.otpVerified);
      // Typing over the wrong code has sent none of the mixed codes.
      expect(attempts).toBe(2);
      await page.waitForURL("**/user-home/user-all-documents**");
      await page
        .getByRole("navigation", { name: text.mainNavigation })
        .getByText(person.userName)
        .waitFor();
      await takeScreenshot(page, `logged-in-${language}`);
      expect(await stored(page, "localStorage")).not.toContain("userId");
      expect(
        await stored(page, "localStorage"),
        "not remembered, so bound to this browser session",
      ).toEqual(
        expect.arrayContaining(["role", "sessionBrowser", "token", "user"]),
      );

      await page.getByRole("button", { name: text.logout }).click();
      await page.waitForURL("**/login");
      await context.close();
    });

    it("logs in: wrong, then right", async () => {
      const { context, page } = await openWindow(product, language);
      await page.goto(`${product.address}/login`);
      await fillLogin(page, { ...person, password: "not the password" });
      await page.locator("button[type=submit]").click();
      await page.getByText(text.loginPage.invalidCredentials).waitFor();
      await takeScreenshot(page, `login-wrong-${language}`);
      await fillLogin(page, person);
      await page.locator("button[type=submit]").click();
      await page.waitForURL("**/user-home/user-all-documents**");
      await context.close();
    });

    it("photo, profile and password are saved apart, and the new ones hold", async () => {
      const { context, page, failures } = await openWindow(product, language);
      await logIn(product, page, person, true);
      await page.getByRole("link", { name: text.accountSettings }).click();
      await page.waitForURL(`**${settings}`);
      await page.locator("[name=userName]").waitFor();
      await takeScreenshot(page, `account-${language}`);
      const saveButton = (name: string) =>
        page.getByRole("button", { name, exact: true });
      const save = saveButton(text.accountPage.save);
      const savePhoto = saveButton(text.accountPage.savePhoto);
      const savePassword = saveButton(text.accountPage.savePassword);
      const disabled = () =>
        Promise.all(
          [savePhoto, save, savePassword].map((one) => one.isDisabled()),
        );
      expect(await disabled()).toEqual([true, true, true]);
      // It is said before anything is typed that a new address takes a code.
      await page.getByText(text.accountPage.emailHint).waitFor();

      const sent: string[] = [];
      page.on("request", (request) => {
        const path = new URL(request.url()).pathname;
        if (request.method() !== "GET" && path.startsWith("/api/"))
          sent.push(`${request.method()} ${path.slice("/api/v1".length)}`);
      });
      const changed = {
        userName: `${person.userName} 2`,
        email: `new-${person.email}`,
        password: "Another!horse-42",
      };
      await page.locator("[name=oldPassword]").fill(person.password);
      await page.locator("[name=newPassword]").fill(changed.password);
      await page
        .getByText(text.accountPage.strong, { exact: true })
        .last()
        .waitFor();
      await page.locator("[name=confirmation]").fill("a slip");
      expect(await disabled()).toEqual([true, true, false]);
      await savePassword.click();
      await page.getByText(text.accountPage.passwordMismatch).waitFor();
      expect(sent, "nothing is sent while something is wrong").toEqual([]);

      // The photo alone is sent; what is typed elsewhere stays.
      await page.locator("input[type=file]").setInputFiles(photo);
      await page.getByText(text.accountPage.photoChosen).waitFor();
      await takeScreenshot(page, `account-changed-${language}`, true);
      await clickAndWaitForText(
        page,
        () => savePhoto.click(),
        text.accountPage.updatedSuccess,
      );
      expect(sent).toEqual(["PATCH /users/me"]);
      await page.locator("[name=confirmation]").fill(changed.password);
      await clickAndWaitForText(
        page,
        () => savePassword.click(),
        text.accountPage.passwordChanged,
      );
      expect(sent.slice(1)).toEqual(["POST /auth/change-password"]);

      await page.locator("[name=userName]").fill(changed.userName);
      await page.locator("[name=email]").fill("rania@example");
      await page.locator("[name=userName]").focus();
      await page.getByText(text.emailIncomplete).waitFor();
      await page.locator("[name=email]").fill(changed.email);
      await save.click();
      await page.waitForURL("**/otp-verification");
      expect(sent.slice(2)).toEqual([
        "PATCH /users/me",
        "POST /auth/change-email",
      ]);
      await page.getByText(changed.email).waitFor();
      await takeScreenshot(page, `otp-address-${language}`);
      const mail = await waitForMail(
        product,
        changed.email,
        "change-email-code",
      );
      expect(mail.language).toBe(language);
      await clickAndWaitForText(
        page,
        () => typeCode(page, codeInMail(mail)),
        text.otpPage.emailChanged,
      );
      await page.waitForURL(`**${settings}`);
      await expect
        .poll(() => page.locator("[name=email]").inputValue())
        .toBe(changed.email);
      await page.reload();
      await expect
        .poll(() => page.locator("[name=userName]").inputValue())
        .toBe(changed.userName);
      expect(await page.locator("[name=email]").inputValue()).toBe(
        changed.email,
      );
      const face = page.locator("main form img");
      expect(await face.getAttribute("src")).toMatch(/^\/media\//);
      await expect
        .poll(() => face.evaluate((i) => (i as HTMLImageElement).naturalWidth))
        .toBe(512);
      await takeScreenshot(page, `account-saved-${language}`);
      expect(await stored(page, "localStorage")).toEqual(
        expect.not.arrayContaining(["newEmail", "changeEmail"]),
      );
      await waitForMail(product, person.email, "email-changed");
      expect(failures).toEqual([]);

      await page.getByRole("button", { name: text.logout }).click();
      await page.waitForURL("**/login");
      await logIn(product, page, changed);
      const old = await callApi(product, "POST", "/auth/login", {
        email: person.email,
        password: person.password,
      });
      expect(old.status).toBe(401);
      await context.close();
    });

    it("a forgotten password is set anew by the link of a mail, once", async () => {
      const { context, page } = await openWindow(product, language);
      const forgetful = createPerson();
      await createAccount(product, forgetful, language);
      await page.goto(`${product.address}/login`);
      await page
        .getByRole("link", { name: text.loginPage.forgotPassword })
        .click();
      // The URL changes before the screen does, and the login form has a field of the same name.
      await page
        .getByRole("heading", { name: text.forgotPage.title })
        .waitFor();
      await takeScreenshot(page, `forgot-${language}`);
      await page.locator("[name=email]").fill(forgetful.email);
      await page.locator("button[type=submit]").click();
      await page.getByText(text.forgotPage.sent).first().waitFor();
      await takeScreenshot(page, `forgot-sent-${language}`);
      const link = linkInMail(
        await waitForMail(product, forgetful.email, "reset-password"),
      );
      await page.goto(link);
      await page.locator("[name=newPassword]").waitFor();
      expect(
        page.url().replace(/^http:\/\/[^/]+/, ""),
        "the token leaves the address",
      ).toBe("/reset-password");
      await takeScreenshot(page, `reset-${language}`);
      const password = "Remembered-horse-7";
      await page.locator("[name=newPassword]").fill(password);
      await page.locator("[name=confirmation]").fill(password);
      await clickAndWaitForText(
        page,
        () => page.locator("button[type=submit]").click(),
        text.resetPage.done,
      );
      await page.waitForURL("**/login");
      await fillLogin(page, { ...forgetful, password });
      await page.locator("button[type=submit]").click();
      await page.waitForURL("**/user-home/user-all-documents**");

      const again = await context.newPage();
      await again.goto(link);
      await again.locator("[name=newPassword]").fill(password);
      await again.locator("[name=confirmation]").fill(password);
      await again.locator("button[type=submit]").click();
      await again.getByText(text.errors.invalid_reset_link).waitFor();
      await takeScreenshot(again, `reset-used-${language}`);
      await context.close();
    });

    it("the terms and the notice on privacy can be read before agreeing", async () => {
      const { context, page } = await openWindow(product, language);
      await page.goto(`${product.address}/register`);
      await page.locator("[name=userName]").fill("kept");
      for (const name of ["terms", "privacy"] as const) {
        const [tab] = await Promise.all([
          context.waitForEvent("page"),
          page.locator(`form a[href='/${name}']`).click(),
        ]);
        await tab.locator("section section h2").first().waitFor();
        expect(
          await tab.locator("section section h2").count(),
        ).toBeGreaterThanOrEqual(7);
        for (const said of [text.legal.operator, ...Object.values(OPERATOR)])
          await tab.getByText(said, { exact: true }).waitFor();
        await tab.locator(`a[href="mailto:${OPERATOR.contact}"]`).waitFor();
        await takeScreenshot(tab, `${name}-${language}`);
        await tab.close();
      }
      expect(await page.locator("[name=userName]").inputValue()).toBe("kept");
      await context.close();
    });
  },
);

describe.each(["en", "fr", "ar"] as Language[])(
  "a registration to correct, in %s",
  (language) => {
    const text = interfaceTexts(language);

    it("is still there after Back, without its password", async () => {
      const person = createPerson(NAMES[language]);
      const { context, page } = await openWindow(product, language);
      await page.goto(`${product.address}/register`);
      await page.locator("[name=userName]").fill(person.userName);
      // A domain without an ending gets a hint when the input is left.
      const hint = page.getByText(text.emailIncomplete);
      await page.locator("[name=email]").fill("rania@example");
      expect(await hint.count()).toBe(0);
      await page.locator("[name=password]").fill(person.password);
      await hint.waitFor();
      await takeScreenshot(page, `register-incomplete-address-${language}`);
      await page.locator("[name=email]").fill(person.email);
      await page.locator("[name=confirmation]").fill(person.password);
      await page.locator("[name=terms]").check();
      await page.locator("button[type=submit]").click();
      await page.waitForURL("**/otp-verification");
      await page.getByRole("timer").waitFor();
      await page.goBack();
      await page.waitForURL("**/register");
      await page.locator("[name=userName]").waitFor();
      const value = (name: string) =>
        page.locator(`[name=${name}]`).inputValue();
      expect(await value("userName")).toBe(person.userName);
      expect(await value("email")).toBe(person.email);
      expect(await page.locator("[name=terms]").isChecked()).toBe(true);
      expect(await value("password")).toBe("");
      await context.close();
    });
  },
);

describe("the code's screen", () => {
  it("is where a login of an unproven address leads, which says so", async () => {
    const text = interfaceTexts("en");
    const person = createPerson();
    await callApi(product, "POST", "/auth/register", { ...person });
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/login`);
    await fillLogin(page, person);
    await page.getByRole("checkbox").check();
    await clickAndWaitForText(
      page,
      () => page.locator("button[type=submit]").click(),
      text.loginPage.verifyEmailFirst,
    );
    await page.waitForURL("**/otp-verification");
    await typeCode(
      page,
      codeInMail(await waitForMail(product, person.email, "register-code")),
    );
    await page.waitForURL("**/user-home**");
    expect(
      await stored(page, "localStorage"),
      "remembered, as was asked at the login",
    ).not.toContain("sessionBrowser");
    await context.close();
  });

  it("counts down to a button that sends another code, and that one holds", async () => {
    const text = interfaceTexts("en");
    const person = createPerson();
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/register`);
    await page.locator("[name=userName]").fill(person.userName);
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await page.locator("[name=confirmation]").fill(person.password);
    await page.locator("[name=terms]").check();
    await page.locator("button[type=submit]").click();
    await page.getByRole("timer").waitFor();
    const first = codeInMail(
      await waitForMail(product, person.email, "register-code"),
    );
    const resend = page.getByRole("button", { name: text.otpPage.resend });
    expect(await resend.count(), "not before the minute is over").toBe(0);
    // The wait is a real minute, because the server measures it too.
    await resend.waitFor();
    await takeScreenshot(page, "otp-resend-en");
    await clickAndWaitForText(
      page,
      () => resend.click(),
      text.otpPage.codeSent,
    );
    await page.getByRole("timer").waitFor();
    const second = codeInMail(
      await waitForMail(
        product,
        person.email,
        "register-code",
        (mail) => codeInMail(mail) !== first,
      ),
    );
    await typeCode(page, second);
    await page.waitForURL("**/user-home**");
    await context.close();
  });

  it("moves by backspace and arrows, replaces what is typed over, and takes no letters", async () => {
    const person = createPerson();
    const { userId } = (
      await callApi(product, "POST", "/auth/register", { ...person })
    ).body;
    const { context, page } = await openWindow(product, "ar");
    await page.goto(`${product.address}/login`);
    await page.evaluate(
      (id) => localStorage.setItem("userId", id ?? ""),
      userId,
    );
    await page.goto(`${product.address}/otp-verification`);
    const boxes = page.locator("[role=group] input");
    const held = () =>
      boxes.evaluateAll((all) =>
        all.map((box) => (box as HTMLInputElement).value || "·").join(""),
      );
    await boxes.first().waitFor();
    expect(await boxes.first().getAttribute("autocomplete")).toBe(
      "one-time-code",
    );
    await page.keyboard.type("1a2٣");
    expect(await held()).toBe("123···");
    await page.keyboard.press("Backspace");
    expect(await held()).toBe("12····");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("9");
    expect(await held()).toBe("92····");
    await page.keyboard.press("ArrowRight");
    // The code is refused while it is being edited: the focus stays where the person types.
    let sendCode: () => void = () => undefined;
    const mayBeSent = new Promise<void>((resolve) => (sendCode = resolve));
    await page.route("**/api/v1/auth/verify-otp", async (route) => {
      await mayBeSent;
      await route.continue();
    });
    await page.keyboard.type("4567");
    expect(await held()).toBe("924567");
    for (let step = 0; step < 3; step += 1)
      await page.keyboard.press("Backspace");
    sendCode();
    await page.locator("#otp-problem").waitFor();
    for (let step = 0; step < 3; step += 1)
      await page.keyboard.press("Backspace");
    expect(await held()).toBe("······");
    // A refused code that was not edited is selected from its first digit on, to be typed over.
    await page.keyboard.type("924567");
    await page.locator("#otp-problem").waitFor();
    await boxes.first().and(page.locator(":focus")).waitFor();
    await page.keyboard.type("1");
    expect(await held()).toBe("124567");
    await context.close();
  });

  it("leads away from nothing to prove", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/otp-verification`);
    await page.waitForURL("**/login");
    await context.close();
  });
});

describe("the account's settings", () => {
  it("each part that fails says so itself, and the others are saved", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.goto(`${product.address}${settings}`);
    await page.locator("[name=userName]").fill("Somebody New");
    await page.locator("[name=email]").fill("no address at all");
    await page.locator("[name=oldPassword]").fill("not the old one");
    await page.locator("[name=newPassword]").fill("Another!horse-42");
    await page.locator("[name=confirmation]").fill("Another!horse-42");
    const press = (name: string) => () =>
      page.getByRole("button", { name, exact: true }).click();
    await clickAndWaitForText(
      page,
      press(text.accountPage.savePassword),
      "Failed to change password, The old password is incorrect.",
    );
    await clickAndWaitForText(
      page,
      press(text.accountPage.save),
      text.accountPage.updatedSuccess,
      "Failed to change email, This is not a valid email address.",
    );
    // Each error is shown once, next to its field, and the field has the focus.
    for (const said of [text.errors.wrong_password, text.errors.invalid_email])
      expect(await page.getByText(said).count(), said).toBe(1);
    await expect
      .poll(() =>
        page.evaluate(
          () => (document.activeElement as HTMLInputElement | null)?.name,
        ),
      )
      .toBe("email");
    await takeScreenshot(page, "account-failed-en");
    expect(page.url()).toContain(settings);
    expect(await page.locator("[name=newPassword]").inputValue()).toBe(
      "Another!horse-42",
    );
    // Cancel gives back what is stored, in its own section only.
    const cancel = (section: string) =>
      page
        .getByRole("form", { name: section })
        .getByRole("button", { name: text.cancel })
        .click();
    await cancel(text.accountPage.profile);
    expect(await page.locator("[name=userName]").inputValue()).toBe(
      "Somebody New",
    );
    expect(await page.locator("[name=email]").inputValue()).toBe(person.email);
    expect(await page.locator("[name=newPassword]").inputValue()).toBe(
      "Another!horse-42",
    );
    await cancel(text.loginPage.password);
    expect(await page.locator("[name=newPassword]").inputValue()).toBe("");
    await context.close();
  });

  it("a language speaks at once, and Cancel gives the old one back", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.goto(`${product.address}${settings}`);
    await page.locator("[name=userName]").waitFor();
    const pick = async () => {
      await page
        .locator("main")
        .getByRole("combobox", { name: text.language })
        .or(page.locator("main").getByLabel(text.language))
        .first()
        .click();
      await page.getByRole("option", { name: "العربية" }).click();
      await expect.poll(() => page.getAttribute("html", "dir")).toBe("rtl");
    };
    await pick();
    await page
      .getByRole("form", { name: interfaceTexts("ar").accountPage.profile })
      .getByRole("button", { name: interfaceTexts("ar").cancel })
      .click();
    await expect.poll(() => page.getAttribute("html", "dir")).toBe("ltr");
    await pick();
    await clickAndWaitForText(
      page,
      () =>
        page
          .getByRole("button", {
            name: interfaceTexts("ar").accountPage.save,
            exact: true,
          })
          .click(),
      interfaceTexts("ar").accountPage.updatedSuccess,
    );
    // A toast appears below the bar, so that it does not cover the bar's controls.
    const [toast, bar] = await Promise.all([
      page
        .getByText(interfaceTexts("ar").accountPage.updatedSuccess)
        .boundingBox(),
      page.locator("header").first().boundingBox(),
    ]);
    expect(toast?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0));
    await page.reload();
    await page.locator("[name=userName]").waitFor();
    expect(await page.getAttribute("html", "dir")).toBe("rtl");
    await context.close();
  });

  it("what is no image is refused before it is sent, a huge one is shrunk", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.goto(`${product.address}${settings}`);
    await page.locator("[name=userName]").waitFor();
    const file = page.locator("input[type=file]");
    await file.setInputFiles({
      name: "letter.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7"),
    });
    await page.getByText(text.accountPage.photoNotImage).waitFor();
    await file.setInputFiles({
      name: "broken.png",
      mimeType: "image/png",
      buffer: readFileSync(photo).subarray(0, 40),
    });
    await page.getByText(text.accountPage.photoUnreadable).waitFor();
    // 5 MB of noise, the size of a camera's photo: far above the upload limit.
    await page.evaluate(async () => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 1300;
      const pen = canvas.getContext("2d");
      const pixels = pen?.createImageData(1300, 1300);
      if (!pen || !pixels) throw new Error("no canvas");
      for (let start = 0; start < pixels.data.length; start += 65_536)
        crypto.getRandomValues(
          pixels.data.subarray(
            start,
            Math.min(start + 65_536, pixels.data.length),
          ),
        );
      for (let alpha = 3; alpha < pixels.data.length; alpha += 4)
        pixels.data[alpha] = 255;
      pen.putImageData(pixels, 0, 0);
      const blob = await new Promise<Blob | null>((done) =>
        canvas.toBlob(done, "image/png"),
      );
      if (!blob || blob.size < 4_000_000)
        throw new Error(`only ${blob?.size} bytes`);
      const input = document.querySelector<HTMLInputElement>(
        "main input[type=file]",
      );
      const transfer = new DataTransfer();
      transfer.items.add(new File([blob], "huge.png", { type: "image/png" }));
      if (input) {
        input.files = transfer.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    await page.getByText(text.accountPage.photoChosen).waitFor();
    await clickAndWaitForText(
      page,
      () =>
        page
          .getByRole("button", {
            name: text.accountPage.savePhoto,
            exact: true,
          })
          .click(),
      text.accountPage.updatedSuccess,
    );
    await page.locator("main form img[src^='/media/']").waitFor();
    await context.close();
  });

  it("are the admin's at his own address, and nobody's without a login", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/account-setting`);
    await page.waitForURL("**/login");
    await fillLogin(page, product.admin);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/account-setting");
    // The login form contains the same address, and disappears only when the page has loaded.
    await page.locator("main [name=userName]").waitFor();
    await expect
      .poll(() => page.locator("[name=email]").inputValue())
      .toBe(product.admin.email);
    await takeScreenshot(page, "account-admin-en");
    await context.close();
  });
});

describe("registering an address that has an account", () => {
  it("looks like any registration, and its owner is told", async () => {
    // The admin's address is used because it has received no code in the last minute.
    const owner = product.admin;
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/register`);
    await page.locator("[name=userName]").fill("Somebody else");
    await page.locator("[name=email]").fill(owner.email);
    await page.locator("[name=password]").fill("Thief-of-names-1");
    await page.locator("[name=confirmation]").fill("Thief-of-names-1");
    await page.locator("[name=terms]").check();
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/otp-verification");
    await waitForMail(product, owner.email, "already-registered");
    await typeCode(page, "123456");
    await page.getByText(interfaceTexts("en").errors.invalid_otp).waitFor();
    await context.close();
  });
});
