// Tests of sessions: remembered or not, renewed, ended by the server, and the target of a login.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { restartBrowser } from "./device.ts";
import {
  createAccount,
  callApi,
  codeInMail,
  fillLogin,
  logIn,
  waitForMail,
  clickAndWaitForText,
  createPerson,
  typeCode,
  interfaceTexts,
} from "./people.ts";
import {
  waitForResult,
  takeScreenshot,
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

const catalogue = () => `${product.address}/user-home/user-all-documents`;
const menu = (page: Page) =>
  page.getByRole("navigation", { name: interfaceTexts("en").mainNavigation });
const changed = "Elsewhere-changed-1";

/** Ends every session of a person by a password change elsewhere. */
async function endSessions(person: {
  password: string;
  token: string;
}): Promise<void> {
  const answer = await callApi(
    product,
    "POST",
    "/auth/change-password",
    { oldPassword: person.password, newPassword: changed },
    person.token,
  );
  expect(answer.status).toBe(200);
}

describe("remember me", () => {
  it("off: the session is every tab's, and ends with the browser", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await menu(page).waitFor();
    await page.reload();
    await menu(page).waitFor();
    // A link opened in another tab has the session too.
    const [other] = await Promise.all([
      context.waitForEvent("page"),
      menu(page)
        .getByRole("link", { name: interfaceTexts("en").saved.title })
        .click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await other
      .getByRole("heading", { name: interfaceTexts("en").saved.title })
      .waitFor();
    await other
      .getByRole("button", { name: interfaceTexts("en").logout })
      .click();
    await page
      .getByRole("button", { name: interfaceTexts("en").login })
      .waitFor();
    await logIn(product, page, person);
    const next = await restartBrowser(page);
    await next.goto(catalogue());
    await next
      .getByRole("button", { name: interfaceTexts("en").login })
      .waitFor();
    expect(await menu(next).count()).toBe(0);
    await context.close();
  });

  it("on: it is every tab's, and so is logging out", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person, true);
    const other = await context.newPage();
    await other.goto(catalogue());
    await menu(other).waitFor();
    await other.evaluate(() => localStorage.setItem("country", "TN"));
    await page
      .getByRole("button", { name: interfaceTexts("en").logout })
      .click();
    await page.waitForURL("**/login");
    await other
      .getByRole("button", { name: interfaceTexts("en").login })
      .waitFor();
    expect(
      await page.evaluate(() => Object.keys(localStorage).sort()),
      "language and country stay, nothing else does",
    ).toEqual(["country"]);
    await context.close();
  });
});

it("a registration offers “Remember me”, and is remembered after the browser was closed", async () => {
  const text = interfaceTexts("en");
  const person = createPerson();
  const { context, page } = await openWindow(product, "en");
  await page.goto(`${product.address}/register`);
  await page.locator("[name=userName]").fill(person.userName);
  await page.locator("[name=email]").fill(person.email);
  await page.locator("[name=password]").fill(person.password);
  await page.locator("[name=confirmation]").fill(person.password);
  await page.locator("[name=terms]").check();
  await page.getByLabel(text.loginPage.rememberMe).check();
  await page.locator("button[type=submit]").click();
  await page.waitForURL("**/otp-verification");
  await typeCode(
    page,
    codeInMail(await waitForMail(product, person.email, "register-code")),
  );
  await menu(page).waitFor();
  const next = await restartBrowser(page);
  await next.goto(catalogue());
  await menu(next).waitFor();
  await context.close();
});

describe("a login leads", () => {
  it.each([
    "//evil.example/steal",
    "https://evil.example/",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "javascript:alert(document.domain)",
    "/login",
  ])("nowhere but into the application: %j", async (returnUrl) => {
    const { context, page } = await openWindow(product, "en");
    const left: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== product.address)
        left.push(request.url());
    });
    await page.goto(`${product.address}/login`);
    await page.evaluate(
      (url) => localStorage.setItem("returnUrl", url),
      returnUrl,
    );
    await fillLogin(page, product.admin);
    await page.locator("button[type=submit]").click();
    await page.waitForURL(`${product.address}/`);
    expect(left).toEqual([]);
    expect(
      await page.evaluate(() => localStorage.getItem("returnUrl")),
    ).toBeNull();
    await context.close();
  });

  it.each(["/documents/create?draft=1", "/users", "/account-setting"])(
    "to the start if only an admin can open the page that asked for it: %s",
    async (returnUrl) => {
      const person = await createAccount(product);
      const { context, page } = await openWindow(product, "en");
      await page.goto(product.address + returnUrl);
      await page.waitForURL("**/login");
      await fillLogin(page, person);
      await page.locator("button[type=submit]").click();
      await page.waitForURL("**/user-all-documents");
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      await context.close();
    },
  );

  it("back to the page that asked for it, once", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${catalogue()}?lang=fr&sort=oldest`);
    await page
      .getByRole("button", { name: interfaceTexts("en").login })
      .click();
    await page.waitForURL("**/login");
    await fillLogin(page, person);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/user-all-documents?lang=fr&sort=oldest");
    await page
      .getByRole("button", { name: interfaceTexts("en").logout })
      .click();
    await page.waitForURL("**/login");
    await fillLogin(page, person);
    await page.locator("button[type=submit]").click();
    await page.waitForURL((url) => url.pathname.endsWith("user-all-documents"));
    expect(new URL(page.url()).search).toBe("");
    await context.close();
  });
});

describe("a token", () => {
  it("that is renewed is taken over, and the next call carries it", async () => {
    const person = await createAccount(product);
    const successor = (
      await callApi(product, "POST", "/auth/login", {
        email: person.email,
        password: person.password,
      })
    ).body.token;
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    const first = await page.evaluate(() => localStorage.getItem("token"));
    // The server sends this header after half of a token's life. Two tokens of one second are equal, so another one is returned.
    await context.route("**/api/v1/documents?**", async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "x-renewal-due": "true" };
      await route.fulfill({ response, headers });
    });
    await context.route("**/api/v1/auth/refresh", async (route) => {
      const response = await route.fetch();
      expect(response.status()).toBe(200);
      await route.fulfill({ response, json: { token: successor } });
    });
    await page.reload();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("token")))
      .toBe(successor);
    expect(successor).not.toBe(first);
    await context.unrouteAll();
    const [request] = await Promise.all([
      page.waitForRequest("**/api/v1/users/me"),
      page
        .getByRole("link", { name: interfaceTexts("en").accountSettings })
        .click(),
    ]);
    expect(await request.headerValue("authorization")).toBe(
      `Bearer ${successor}`,
    );
    expect((await (await request.response())?.json())?.user.email).toBe(
      person.email,
    );
    await context.close();
  });

  it.each(["en", "fr", "ar"] as Language[])(
    "that is refused keeps the form: a new login goes on where it was (%s)",
    async (language) => {
      const text = interfaceTexts(language);
      const person = await createAccount(product, undefined, language);
      const { context, page } = await openWindow(product, language);
      await logIn(product, page, person);
      await page.goto(`${catalogue()}?lang=${language}`);
      await page.locator("ul[aria-label] li a").first().click();
      await page.getByRole("link", { name: text.preview.generate }).click();
      const fields = page.locator("textarea:not([aria-hidden])");
      await fields.first().fill("kept through it all");
      await endSessions(person);
      await page.locator("button[type=submit]").click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(text.session.expiredHint).waitFor();
      await takeScreenshot(page, `session-ended-${language}`);
      expect(await dialog.locator("[name=email]").inputValue()).toBe(
        person.email,
      );
      await dialog.locator("[name=password]").fill("not the password");
      await dialog.locator("button[type=submit]").click();
      await dialog.getByText(text.loginPage.invalidCredentials).waitFor();
      await dialog.locator("[name=password]").fill(changed);
      await dialog.locator("button[type=submit]").click();
      await dialog.waitFor({ state: "detached" });
      await waitForResult(page);
      await page.getByRole("link", { name: text.result.edit }).click();
      expect(await fields.first().inputValue()).toBe("kept through it all");
      await context.close();
    },
  );

  it("that is refused keeps what was not yet saved in the settings", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.getByRole("link", { name: text.accountSettings }).click();
    await page.locator("[name=userName]").fill("Not yet saved");
    await endSessions(person);
    const save = page.getByRole("button", {
      name: text.accountPage.save,
      exact: true,
    });
    await save.click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=password]").fill(changed);
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.locator("[name=userName]").inputValue()).toBe(
      "Not yet saved",
    );
    await clickAndWaitForText(
      page,
      () => save.click(),
      text.accountPage.updatedSuccess,
    );
    await context.close();
  });

  it("that is refused lets a guest go on without it", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person, true);
    await endSessions(person);
    await page.goto(catalogue());
    await page
      .getByRole("button", { name: text.session.continueAsGuest })
      .click();
    await page.locator("ul[aria-label] li a").first().waitFor();
    await page.getByRole("button", { name: text.login }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    await context.close();
  });
});
