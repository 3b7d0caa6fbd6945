// Keyboard tests of the account screens. (walk.test.ts runs axe on them.)
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createAccount, callApi, logIn, interfaceTexts } from "./people.ts";
import { startProduct, openWindow, type Product } from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

/** Returns the name of the focused element as a screen reader says it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    return (
      element?.name ||
      element?.getAttribute("aria-label") ||
      element?.textContent?.trim() ||
      element?.tagName
    );
  });

describe("the keyboard alone", () => {
  it("logs in, looks at the password first, and is remembered", async () => {
    const text = interfaceTexts("en");
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/login`);
    await page.locator("[name=email]").focus();
    await page.keyboard.type(person.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe(text.password.show);
    await page.keyboard.press("Space");
    expect(await page.locator("[name=password]").getAttribute("type")).toBe(
      "text",
    );
    expect(await focused(page)).toBe(text.password.hide);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await page.getByRole("checkbox").isChecked()).toBe(true);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe(text.loginPage.forgotPassword);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe(text.login);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/user-home/**");
    expect(
      await page.evaluate(() => localStorage.getItem("token")),
    ).not.toBeNull();
    await context.close();
  });

  it("goes to the field that is wrong", async () => {
    const { context, page } = await openWindow(product, "ar");
    await page.goto(`${product.address}/register`);
    await page.locator("[name=userName]").fill("أمل");
    await page.locator("[name=email]").fill("amal@example.org");
    await page.locator("[name=email]").press("Enter");
    await expect.poll(() => focused(page)).toBe("password");
    await page.keyboard.type("Abcdefghij1!");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("confirmation");
    await page.keyboard.type("Abcdefghij1!");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("terms");
    await context.close();
  });

  it.each([
    ["/login", "email"],
    ["/forgot-password", "email"],
    ["/reset-password#token=AAAAAAAAAAAAAAAAAAAAAA", "newPassword"],
  ])("is at what is wrong after a refused form (%s)", async (path, field) => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(product.address + path);
    await page.locator(`[name=${field}]`).waitFor();
    await page.locator("button[type=submit]").click();
    await expect.poll(() => focused(page)).toBe(field);
    await context.close();
  });

  it("is told everything that is wrong with a registration at once", async () => {
    const text = interfaceTexts("en");
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/register`);
    await page.locator("[name=email]").fill("amal@example.org");
    await page.locator("[name=password]").fill("short");
    await page.locator("[name=confirmation]").fill("other");
    await page.locator("button[type=submit]").click();
    for (const said of [
      text.registerPage.errorFillFields,
      "A password must have 8 to 256 characters.",
      text.registerPage.errorPasswordsMismatch,
      text.registerPage.errorAgreeTerms,
    ])
      await page.getByText(said).waitFor();
    await expect.poll(() => focused(page)).toBe("userName");
    await context.close();
  });

  it("is in the password when a session has ended, and Escape goes on as a guest", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await callApi(
      product,
      "POST",
      "/auth/change-password",
      { oldPassword: person.password, newPassword: "Elsewhere-changed-1" },
      person.token,
    );
    await page.goto(`${product.address}/user-home/user-all-documents`);
    await page.getByRole("dialog").locator("[name=password]").waitFor();
    await expect.poll(() => focused(page)).toBe("password");
    await page.keyboard.press("Escape");
    await page.locator("ul[aria-label] li a").first().waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await context.close();
  });
});
