// `cargo xtask bench paint` also runs this: it measures the tasks that a key in a form causes, with the processor
// slowed down by four. A task of more than 50 ms delays the next key or frame.
import { readFileSync } from "node:fs";

import { afterAll, beforeAll, it } from "vitest";

import { callApi } from "./people.ts";
import { openWindow, startProduct, type Product } from "./product.ts";
import { writeDocx } from "./word.ts";

const SLOWER = 4;
const KEYS = 12;

const median = (numbers: number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

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
      Object.assign(window, { tasks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) tasks.push(duration);
      }).observe({ type: "longtask" });
    });
    // The time of the thread does not depend on what else the machine does.
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const threadMilliseconds = async () => {
      const { metrics } = await cdp.send("Performance.getMetrics");
      const seconds = metrics.find(({ name }) => name === "TaskDuration");
      return (seconds?.value ?? NaN) * 1000;
    };
    const totals: number[] = [];
    for (let key = 0; key < KEYS; key += 1) {
      const before = await threadMilliseconds();
      await page.keyboard.press("a");
      // A draft is stored after a pause of 200 ms.
      await page.waitForTimeout(1500);
      totals.push((await threadMilliseconds()) - before);
    }
    const tasks = await page.evaluate(
      () => (window as unknown as { tasks: number[] }).tasks,
    );
    const longest = Math.max(0, ...tasks);
    console.info(
      `\n${fields} fields, processor slower by ${SLOWER}: longest task ${longest > 0 ? `${longest.toFixed(0)} ms` : "below 50 ms"}, tasks over 50 ms ${tasks.length} in ${KEYS} keys, the thread works ${median(totals).toFixed(0)} ms for a key (median; all its tasks)`,
    );
    await context.close();
  },
  1_200_000,
);
