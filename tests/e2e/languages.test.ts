// Tests of the interface language: the choice in the bar is stored in the account and applies on every
// device.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createAccount, callApi, logIn, interfaceTexts } from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const settings = () => `${product.address}/user-home/user-account-setting`;
const pageLanguage = (page: Page) => page.getAttribute("html", "lang");
/** Returns the language choice in the bar, in any language. */
const bar = (page: Page) => page.locator("header input[aria-label]").last();

async function storedLanguage(token: string): Promise<unknown> {
  const answer = await callApi(product, "GET", "/users/me", undefined, token);
  return (answer.body.user as { language?: string } | undefined)?.language;
}

describe("the language of somebody who is logged in", () => {
  it("comes along to another machine, and is what both choices show", async () => {
    const person = await createAccount(product, undefined, "ar");
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await expect.poll(() => pageLanguage(page)).toBe("ar");
    await page.goto(settings());
    await page.locator("[name=userName]").waitFor();
    expect(await bar(page).inputValue()).toBe("العربية");
    expect(await page.locator("main [name=language]").inputValue()).toBe("ar");
    await context.close();
  });

  it("chosen in the bar is stored in the account, and the account's page follows", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.goto(settings());
    await page.locator("[name=userName]").fill("Not yet saved");
    await Promise.all([
      page.waitForResponse(
        (answer) => answer.request().method() === "PATCH" && answer.ok(),
      ),
      (async () => {
        await bar(page).click();
        await page.getByRole("option", { name: "Français" }).click();
      })(),
    ]);
    await expect.poll(() => pageLanguage(page)).toBe("fr");
    expect(await storedLanguage(person.token)).toBe("fr");
    expect(await page.locator("main [name=language]").inputValue()).toBe("fr");
    expect(
      await page.locator("[name=userName]").inputValue(),
      "what was entered stays",
    ).toBe("Not yet saved");
    await takeScreenshot(page, "account-language-fr");
    // Only the name is unsaved, so Cancel does not change the language.
    await page
      .getByRole("form", {
        name: interfaceTexts("fr").accountPage.profile,
        exact: true,
      })
      .getByRole("button", { name: interfaceTexts("fr").cancel })
      .click();
    expect(await pageLanguage(page)).toBe("fr");
    await context.close();
  });

  it("chosen in the bar takes the place of one chosen in the account and not yet saved", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.goto(settings());
    await page
      .locator("main")
      .getByRole("combobox", { name: interfaceTexts("en").language })
      .click();
    await page.getByRole("option", { name: "العربية" }).click();
    await expect.poll(() => pageLanguage(page)).toBe("ar");
    await bar(page).click();
    await page.getByRole("option", { name: "Français" }).click();
    await expect.poll(() => pageLanguage(page)).toBe("fr");
    await expect.poll(() => storedLanguage(person.token)).toBe("fr");
    const save = page.getByRole("button", {
      name: interfaceTexts("fr").accountPage.save,
      exact: true,
    });
    expect(await save.isDisabled()).toBe(true);
    await context.close();
  });
});
