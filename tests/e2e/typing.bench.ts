// `cargo xtask bench paint` also runs this: it measures the tasks that a key in a form causes, with the processor
// slowed down by four. A task of more than 50 ms delays the next key or frame.
import { readFileSync } from "node:fs";

import { afterAll, beforeAll, it } from "vitest";

import { callApi } from "./people.ts";
import { openWindow, startProduct, type Product } from "./product.ts";
import { writeDocx } from "./word.ts";

const SLOWER = 4;
const KEYS = 12;

interface Measured {
  /** Durations in milliseconds. */
  tasks: number[];
  delays: number[];
}

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

/** Publishes a template with this number of fields and returns its id. */
async function publish(fields: number): Promise<string> {
  const paragraphs = Array.from(
    { length: fields },
    (_, index) => `Clause ${index + 1} of {{clause ${index + 1}}} holds.`,
  );
  const file = writeDocx(product, `${fields}-fields`, paragraphs);
  const login = await callApi(product, "POST", "/auth/login", product.admin);
  const form = new FormData();
  form.set("title", `${fields} fields`);
  form.set("language", "en");
  form.append("categories", "typing");
  form.set("file", new File([readFileSync(file)], `${fields}.docx`));
  const response = await fetch(`${product.address}/api/v1/documents/file`, {
    method: "POST",
    headers: { authorization: `Bearer ${login.body["token"]}` },
    body: form,
  });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as { document: { _id: string } }).document
    ._id;
}

it.each([53, 2000])(
  "a key in a form of %i fields",
  async (fields) => {
    const id = await publish(fields);
    const { context, page } = await openWindow(product, "en");
    const cdp = await context.newCDPSession(page);
    await page.goto(
      `${product.address}/user-home/form-document?document=${id}`,
    );
    await page.locator("[data-page='0'][data-drawn]").waitFor();
    const input = page.locator("form textarea:not([aria-hidden])").nth(20);
    await input.focus();
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.evaluate(() => {
      const tasks: number[] = [];
      const delays: number[] = [];
      Object.assign(window, { tasks, delays });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: "longtask" });
      new PerformanceObserver((list) => {
        for (const { name, duration } of list.getEntries())
          if (name === "keydown") delays.push(duration);
      }).observe({
        type: "event",
        durationThreshold: 16,
      } as PerformanceObserverInit);
    });
    for (let key = 0; key < KEYS; key += 1) {
      await page.keyboard.press("a");
      // A draft is stored after a pause of 200 ms; a fast typist needs 100 ms for a key.
      await page.waitForTimeout(key % 4 === 3 ? 1500 : 120);
    }
    const { tasks, delays } = await page.evaluate(() => {
      const { tasks, delays } = window as unknown as Measured;
      return { tasks, delays };
    });
    const longest = Math.max(0, ...tasks);
    const slowest = Math.max(0, ...delays);
    console.info(
      `\n${fields} fields, processor slower by ${SLOWER}: longest task ${longest > 0 ? `${longest.toFixed(0)} ms` : "below 50 ms"}, tasks over 50 ms: ${tasks.length} in ${KEYS} keys, slowest key ${slowest.toFixed(0)} ms`,
    );
    await context.close();
  },
  1_200_000,
);
