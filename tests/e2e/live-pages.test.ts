// Pages set in the browser, beside the form: each key is on them, without the server; what is pressed on them leads to its input. Where
// a browser cannot set them, the server's are shown and it says so.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hindrances } from "./hindrances.ts";
import { words } from "./people.ts";
import { templateOf } from "./saved.ts";
import { start, visitor, type Language, type Product } from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await start();
});
afterAll(() => product?.stop());

const VALUES: Record<Language, string> = {
  en: "Harbour & Sons 41",
  fr: "L’Œuvre & Cie 41",
  ar: "مؤسسة الأفق",
};

/** A page's text as a reader finds it. */
const textOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".textLayer")]
      .map((layer) => layer.textContent)
      .join("\n"),
  );

const shows = (page: Page, wanted: string) =>
  page.waitForFunction(
    (text) =>
      [...document.querySelectorAll(".textLayer")].some((layer) =>
        layer.textContent.includes(text),
      ),
    wanted,
  );

/** Is a place of the field in hand in sight, on the desk? */
const inHandIsSeen = (page: Page) =>
  page.waitForFunction(() => {
    const desk = document.querySelector("main [role=region]");
    const window = desk?.getBoundingClientRect();
    return (
      window &&
      [...document.querySelectorAll("[data-active]")].some((place) => {
        const { top, bottom } = place.getBoundingClientRect();
        return top >= window.top - 1 && bottom <= window.bottom + 1;
      })
    );
  });

describe.each(["en", "fr", "ar"] as Language[])(
  "live pages in %s",
  (language) => {
    it("show each key where it goes, and work without a network", async () => {
      const { context, page, failures } = await visitor(product, language);
      const template = await templateOf(product, language);
      await page.goto(
        `${product.address}/user-home/form-document?document=${template._id}`,
      );
      await page.locator("[data-drawn]").first().waitFor();
      expect(
        await page.locator(".textLayer").first().getAttribute("lang"),
      ).toMatch(new RegExp(`^${language}`));
      const inputs = page.locator("form [data-input]");
      const value = VALUES[language];
      await inputs.first().click();
      await inHandIsSeen(page);
      await inputs.first().pressSequentially(value);
      await shows(page, value.slice(0, 6));

      // from here on nobody is asked
      await context.setOffline(true);
      const last = (await inputs.count()) - 1;
      await inputs.nth(last).click();
      await inputs.nth(last).pressSequentially("7531");
      await shows(page, "7531");
      await inHandIsSeen(page);
      await page.keyboard.press("Control+z");
      await page.waitForFunction(
        () =>
          ![...document.querySelectorAll(".textLayer")].some((layer) =>
            layer.textContent.includes("7531"),
          ),
      );
      const pages = page.locator("main [role=region][data-pages]");
      const before = Number(await pages.getAttribute("data-pages"));
      // as a paste does it: all at once
      await inputs.nth(last).fill(`${value} `.repeat(300).slice(0, 5_000));
      await page.waitForFunction(
        (count) =>
          Number(
            document
              .querySelector("main [role=region][data-pages]")
              ?.getAttribute("data-pages"),
          ) > count,
        before,
      );
      await inputs.nth(last).fill("");
      await page.waitForFunction(
        (count) =>
          document
            .querySelector("main [role=region][data-pages]")
            ?.getAttribute("data-pages") === String(count),
        before,
      );
      await context.setOffline(false);

      // a place that is pressed takes the keyboard to its input
      await page
        .locator("main [role=region]")
        .evaluate((desk) => desk.scrollTo(0, 0));
      const place = page.locator("[data-field]").first();
      await expect
        .poll(async () => {
          // a page that comes into sight is drawn first
          const box = await place.boundingBox().catch(() => null);
          if (!box) return null;
          await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
          const field = await place.getAttribute("data-field");
          return inputs
            .nth(Number(field))
            .evaluate((input) => input === document.activeElement);
        })
        .toBe(true);

      // zoomed, it is drawn anew and as sharp
      const canvas = page.locator("[data-page='0'] canvas");
      const narrow = (await canvas.boundingBox())?.width ?? 0;
      await page
        .getByRole("button", { name: words(language).pdf.zoomIn })
        .click();
      await page.waitForFunction(
        (width) =>
          (document.querySelector("[data-page='0'] canvas")?.clientWidth ?? 0) >
          width,
        narrow,
      );
      expect(await hindrances(page)).toEqual([]);
      expect(failures).toEqual([]);
      await context.close();
    });

    it("are the server's where the browser has no WebAssembly, which is said", async () => {
      const { context, page, failures } = await visitor(product, language);
      await context.addInitScript(() => {
        Reflect.deleteProperty(window, "WebAssembly");
      });
      const template = await templateOf(product, language);
      await page.goto(`${product.address}/user-home/document/${template._id}`);
      await page.getByText(words(language).pdf.notHere).waitFor();
      await page.locator("[data-drawn]").first().waitFor();
      expect((await textOf(page)).length).toBeGreaterThan(100);
      expect(failures).toEqual([]);
      await context.close();
    });
  },
);
