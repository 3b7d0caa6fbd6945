// Tests of the choice between the light and the dark theme.
import { afterAll, beforeAll, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
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

it.each(["en", "ar"] as const)(
  "the theme follows the device until one is chosen, which stays (%s)",
  async (language) => {
    const { theme } = interfaceTexts(language);
    const { context, page, failures } = await openWindow(product, language);
    await page.goto(product.address);
    const choice = page.getByRole("combobox", { name: theme.label });
    const shown = () =>
      page.evaluate(() => getComputedStyle(document.body).colorScheme);
    const background = () =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await choice.waitFor();
    expect(await choice.inputValue()).toBe(theme.auto);
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(background).not.toBe(light);
    await choice.click();
    await page.getByRole("option", { name: theme.light }).click();
    await expect.poll(background).toBe(light);
    await page.emulateMedia({ colorScheme: "light" });
    await choice.click();
    await takeScreenshot(page, `theme-choice-${language}`);
    await page.getByRole("option", { name: theme.dark }).click();
    await expect.poll(background).not.toBe(light);
    await page.reload();
    await choice.waitFor();
    expect(await choice.inputValue()).toBe(theme.dark);
    expect([await shown(), await background()]).toEqual([
      "dark",
      expect.not.stringContaining(light),
    ]);
    await takeScreenshot(page, `theme-dark-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(failures).toEqual([]);
    await context.close();
  },
);
