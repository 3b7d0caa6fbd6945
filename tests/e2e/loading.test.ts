// Tests of the loading of pages: the bar, files that are missing after a deployment, and failed pages.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";

import { interfaceTexts } from "./people.ts";
import {
  openWindow,
  startProduct,
  takeScreenshot,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const text = interfaceTexts("en");
const HELP_FILES = "**/assets/HelpPage-*.js";
const HELP = "/user-home/help-center";

const openHelp = (page: Page) =>
  page.locator("footer").getByRole("link", { name: text.helpCenter }).click();
const message = (page: Page) => page.locator("textarea[name=message]");
const crash = (page: Page) =>
  page.getByRole("heading", { name: text.crash.title });

async function openCatalogue() {
  const opened = await openWindow(product, "en");
  await opened.page.goto(product.address);
  await opened.page.locator("main li").first().waitFor();
  return opened;
}

it("a bar shows that a page is loading, and the previous page stays meanwhile", async () => {
  const { context, page } = await openCatalogue();
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(HELP_FILES, async (route) => {
    await released;
    await route.continue();
  });
  await openHelp(page);
  const bar = page.getByRole("progressbar", { name: text.loading });
  await bar.waitFor();
  expect(await page.locator("main li").count()).toBeGreaterThan(0);
  await takeScreenshot(page, "page-loading-en");
  release();
  await message(page).waitFor();
  expect(await bar.count()).toBe(0);
  await context.close();
});

it("a page whose file was removed by a deployment is loaded in the new version, once", async () => {
  const { context, page } = await openCatalogue();
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route(HELP_FILES, (route) => route.fulfill({ status: 404 }));
  // The server has another version, which the page asks for; the browser gets it with the reload.
  await page.route(`${product.address}/`, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({
      response,
      body: html.replace(/\/assets\/index-[^"]+\.js/, "/assets/index-new.js"),
    });
  });
  await openHelp(page);
  // The file is missing in the new version too.
  await crash(page).waitFor();
  expect(loads).toBe(1);
  expect(new URL(page.url()).pathname).toBe(HELP);
  await page.unroute(HELP_FILES);
  await page.getByRole("button", { name: text.crash.reload }).click();
  await message(page).waitFor();
  await context.close();
});

it("a failed page leaves the rest of the screen, is not reloaded, and is forgotten on the next page", async () => {
  const { context, page } = await openCatalogue();
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route(HELP_FILES, (route) => route.fulfill({ status: 404 }));
  await openHelp(page);
  await crash(page).waitFor();
  await takeScreenshot(page, "page-failed-en");
  await page.unroute(HELP_FILES);
  await page.getByRole("link", { name: text.brand }).first().click();
  await page.locator("main li").first().waitFor();
  expect(await crash(page).count()).toBe(0);
  // The file can be loaded by now.
  await openHelp(page);
  await message(page).waitFor();
  expect(loads).toBe(0);
  await context.close();
});
