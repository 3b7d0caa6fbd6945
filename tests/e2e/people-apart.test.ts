// People who share a browser: none sees what another has typed or saved. What is typed is never lost silently.
import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { restartBrowser, storedEntries, refuseStorage } from "./device.ts";
import {
  createAccount,
  callApi,
  fillLogin,
  logIn,
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
import { saveDocument, textTemplate, type Template } from "./saved.ts";

let product: Product;
let template: Template;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
  template = await textTemplate(product, "en");
});
afterAll(() => product?.stop());

const text = interfaceTexts("en");
const form = () =>
  `${product.address}/user-home/form-document?document=${template._id}`;
const savedDocumentsUrl = () => `${product.address}/user-home/user-documents`;
const first = (page: Page) => page.locator("form [data-input]").first();
const cards = (page: Page) => page.locator("ul[aria-label] > li:has(h2)");
const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });

/** Types into the first field and waits until it is kept on the device. */
async function type(page: Page, value: string) {
  await first(page).fill(value);
  await expect
    .poll(async () => JSON.stringify(await storedEntries(page, "draft")))
    .toContain(value);
}

async function endSessions(person: { password: string; token: string }) {
  const answer = await callApi(
    product,
    "POST",
    "/auth/change-password",
    { oldPassword: person.password, newPassword: "Elsewhere-changed-1" },
    person.token,
  );
  expect(answer.status).toBe(200);
}

describe("another person at the same browser", () => {
  it("finds an empty form after the browser was closed without “Remember me”", async () => {
    const amal = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, amal);
    await page.goto(form());
    await type(page, "of Amal");
    await page.reload();
    expect(await first(page).inputValue()).toBe("of Amal");
    const next = await restartBrowser(page);
    await next.goto(form());
    await first(next).waitFor();
    expect(await first(next).inputValue()).toBe("");
    expect(await storedEntries(next, "draft")).toEqual([]);
    await context.close();
  });

  it("sees nothing of a guest who has closed the browser", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(form());
    await type(page, "of a guest");
    const next = await restartBrowser(page);
    await next.goto(form());
    await first(next).waitFor();
    expect(await first(next).inputValue()).toBe("");
    await context.close();
  });

  it("who goes on as a guest after a session has ended sees nothing of it", async () => {
    const amal = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, amal);
    await page.goto(form());
    await type(page, "of Amal");
    await endSessions(amal);
    await page.locator("main button[type=submit]").click();
    await button(page, text.session.continueAsGuest).click();
    await button(page, text.login).waitFor();
    await page.goto(form());
    await first(page).waitFor();
    expect(await first(page).inputValue()).toBe("");
    // Amal finds it again.
    await logIn(product, page, { ...amal, password: "Elsewhere-changed-1" });
    await page.goto(form());
    await expect.poll(() => first(page).inputValue()).toBe("of Amal");
    await context.close();
  });

  it("who logs in after a session has ended gets their own lists and forms", async () => {
    const [amal, nour] = [
      await createAccount(product),
      await createAccount(product),
    ];
    await saveDocument(product, amal.token, template, "a", "Lease of Amal");
    await saveDocument(product, nour.token, template, "n", "Letter of Nour");
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, amal);
    await page.goto(form());
    await type(page, "of Amal");
    await page.getByRole("link", { name: text.saved.title }).click();
    await page.getByText("Lease of Amal").first().waitFor();
    await endSessions(amal);
    await page.getByRole("link", { name: text.accountSettings }).click();
    const dialog = page.getByRole("dialog");
    await fillLogin(dialog as unknown as Page, nour);
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
    await page.waitForURL("**/user-home/user-all-documents**");
    await page.getByRole("link", { name: text.saved.title }).click();
    await page.getByText("Letter of Nour").first().waitFor();
    expect(await cards(page).count()).toBe(1);
    expect(await page.getByText("Lease of Amal").count()).toBe(0);
    await page.goto(form());
    await first(page).waitFor();
    expect(await first(page).inputValue()).toBe("");
    await context.close();
  });

  it("takes over every tab: a tab of A beside one of B shows B’s", async () => {
    const [amal, nour] = [
      await createAccount(product),
      await createAccount(product),
    ];
    await saveDocument(product, amal.token, template, "a", "Lease of Amal");
    await saveDocument(product, nour.token, template, "n", "Letter of Nour");
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, amal);
    await page.goto(savedDocumentsUrl());
    await page.getByText("Lease of Amal").first().waitFor();
    const other = await context.newPage();
    await other.goto(form());
    await type(other, "of Amal");
    await button(other, text.logout).click();
    await other.waitForURL("**/login");
    await fillLogin(other, nour);
    await other.locator("button[type=submit]").click();
    await other.waitForURL((url) => url.pathname !== "/login");
    await page.goto(savedDocumentsUrl());
    await page.getByText("Letter of Nour").first().waitFor();
    expect(await page.getByText("Lease of Amal").count()).toBe(0);
    await other.goto(form());
    await first(other).waitFor();
    expect(await first(other).inputValue()).toBe("");
    await context.close();
  });

  it("does not get what a guest typed in a tab that is closed; the same person does in the same tab", async () => {
    const amal = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await page.goto(form());
    await type(page, "of a guest");
    const other = await context.newPage();
    await page.close();
    await logIn(product, other, amal);
    await other.goto(form());
    await first(other).waitFor();
    expect(await first(other).inputValue()).toBe("");
    await button(other, text.logout).click();
    await other.waitForURL("**/login");
    await other.goto(form());
    await type(other, "typed before the login");
    await logIn(product, other, amal);
    await other.goto(form());
    await expect
      .poll(() => first(other).inputValue())
      .toBe("typed before the login");
    await context.close();
  });
});

it("the last letters before a reload are kept", async () => {
  const { context, page } = await openWindow(product, "en");
  await page.goto(form());
  await first(page).pressSequentially("typed at once");
  await page.reload();
  await first(page).waitFor();
  expect(await first(page).inputValue()).toBe("typed at once");
  await context.close();
});

describe.each(["en", "fr", "ar"] as Language[])(
  "a browser that keeps nothing, in %s",
  (language) => {
    const said = interfaceTexts(language);

    it("is reported at once, with a download of what was typed", async () => {
      const person = await createAccount(product, undefined, language);
      const { context, page } = await openWindow(product, language);
      await refuseStorage(page);
      await logIn(product, page, person);
      await page.goto(form());
      await first(page).fill("not kept");
      const notice = page.getByRole("alert").filter({
        hasText: said.storage.full,
      });
      await notice.waitFor();
      await takeScreenshot(page, `storage-full-${language}`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        button(page, said.storage.download).click(),
      ]);
      expect(readFileSync(await download.path(), "utf8")).toContain("not kept");
      // A save that meets no network either is reported too, and is sent when the network is back.
      await page.locator("main button[type=submit]").click();
      await waitForResult(page);
      await context.setOffline(true);
      await button(page, said.result.save).click();
      await page
        .getByRole("list", { name: said.saved.waiting })
        .getByText(said.saved.waitsUnkept.split("{{title}}")[1]?.trim() ?? "")
        .waitFor();
      await takeScreenshot(page, `save-unkept-${language}`);
      await context.setOffline(false);
      await page.waitForURL("**/user-documents/*");
      await context.close();
    });
  },
);
