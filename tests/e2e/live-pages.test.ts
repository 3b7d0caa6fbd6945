// Tests of the pages that the browser lays out next to the form: each key appears without the server, and a
// click on a field leads to its input. A browser that cannot lay out pages shows the server's, and says so.
import { readFileSync } from "node:fs";

import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { callApi, interfaceTexts } from "./people.ts";
import { textTemplate } from "./saved.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";
import { arabicTable, writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const VALUES: Record<Language, string> = {
  en: "Harbour & Sons 41",
  fr: "L’Œuvre & Cie 41",
  ar: "مؤسسة الأفق",
};

/** Returns the text of all pages, as a search in the browser finds it. */
const visibleText = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".textLayer")]
      .map((layer) => layer.textContent)
      .join("\n"),
  );

const waitForText = (page: Page, wanted: string) =>
  page.waitForFunction(
    (text) =>
      [...document.querySelectorAll(".textLayer")].some((layer) =>
        layer.textContent.includes(text),
      ),
    wanted,
  );

/** Waits until a place of the active field is visible on the desk. */
const isActiveFieldVisible = (page: Page) =>
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
      const { context, page, failures } = await openWindow(product, language);
      const template = await textTemplate(product, language);
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
      await isActiveFieldVisible(page);
      await inputs.first().pressSequentially(value);
      await waitForText(page, value.slice(0, 6));

      // From here on the browser is offline.
      await context.setOffline(true);
      const last = (await inputs.count()) - 1;
      await inputs.nth(last).click();
      await inputs.nth(last).pressSequentially("7531");
      await waitForText(page, "7531");
      await isActiveFieldVisible(page);
      await page.keyboard.press("Control+z");
      await page.waitForFunction(
        () =>
          ![...document.querySelectorAll(".textLayer")].some((layer) =>
            layer.textContent.includes("7531"),
          ),
      );
      const pages = page.locator("main [role=region][data-pages]");
      const before = Number(await pages.getAttribute("data-pages"));
      // The whole text is inserted at once, like a paste.
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

      // A click on a place focuses its input.
      await page
        .locator("main [role=region]")
        .evaluate((desk) => desk.scrollTo(0, 0));
      const place = page.locator("[data-field]").first();
      await expect
        .poll(async () => {
          // The page is drawn first when it becomes visible.
          const box = await place.boundingBox().catch(() => null);
          if (!box) return null;
          await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
          const field = await place.getAttribute("data-field");
          return inputs
            .nth(Number(field))
            .evaluate((input) => input === document.activeElement);
        })
        .toBe(true);

      // After zooming, the page is drawn again with the same sharpness.
      const canvas = page.locator("[data-page='0'] canvas");
      const narrow = (await canvas.boundingBox())?.width ?? 0;
      await page
        .getByRole("button", { name: interfaceTexts(language).pdf.zoomIn })
        .click();
      await page.waitForFunction(
        (width) =>
          (document.querySelector("[data-page='0'] canvas")?.clientWidth ?? 0) >
          width,
        narrow,
      );
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(failures).toEqual([]);
      await context.close();
    });

    it("are the server's where the browser has no WebAssembly, which is said", async () => {
      const { context, page, failures } = await openWindow(product, language);
      await context.addInitScript(() => {
        Reflect.deleteProperty(window, "WebAssembly");
      });
      const template = await textTemplate(product, language);
      await page.goto(`${product.address}/user-home/document/${template._id}`);
      await page.getByText(interfaceTexts(language).pdf.notHere).waitFor();
      await page.locator("[data-drawn]").first().waitFor();
      expect((await visibleText(page)).length).toBeGreaterThan(100);
      // Beside a form, the PDF does not show what is typed.
      await page.goto(
        `${product.address}/user-home/form-document?document=${template._id}`,
      );
      await page.getByText(interfaceTexts(language).pdf.notHereForm).waitFor();
      expect(failures).toEqual([]);
      await context.close();
    });
  },
);

it("pages whose engine crashes start again once, with what was typed; after that the PDF is shown", async () => {
  const said = interfaceTexts("en").pdf;
  const { context, page } = await openWindow(product, "en");
  await context.addInitScript(() => {
    const { Worker } = window;
    const started: Worker[] = [];
    Object.assign(window, { started });
    window.Worker = class extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        started.push(this);
      }
    };
  });
  const engines = () =>
    page.evaluate(() => (window as unknown as { started: [] }).started.length);
  /** The worker reports a trap of the engine, or ends without a word. */
  const crash = (how: "trap" | "end") =>
    page.evaluate((by) => {
      const worker = (window as unknown as { started: Worker[] }).started.at(
        -1,
      );
      if (by === "end") worker?.terminate();
      else
        worker?.dispatchEvent(
          new MessageEvent("message", { data: { type: "crashed" } }),
        );
    }, how);
  const template = await textTemplate(product, "en");
  await page.goto(
    `${product.address}/user-home/form-document?document=${template._id}`,
  );
  await page.locator("[data-drawn]").first().waitFor();
  const first = page.locator("form [data-input]").first();
  await first.fill("before the crash");
  await waitForText(page, "before the crash");
  await crash("end");
  await first.fill("after the crash");
  // The notice of the restart may last too short a time to be seen here; useLiveDocument.test.tsx checks it.
  await waitForText(page, "after the crash");
  expect(await page.getByText(said.restarting).count()).toBe(0);
  expect(await engines()).toBe(2);
  await crash("trap");
  await page.getByText(said.stoppedForm).waitFor();
  await page.locator("[data-drawn]").first().waitFor();
  expect(await first.inputValue()).toBe("after the crash");
  await takeScreenshot(page, "live-stopped-en");
  await context.close();
});

/** Returns the paragraphs on the desk as a screen reader announces them, in order. */
async function accessibleTexts(cdp: CDPSession): Promise<string[]> {
  const { nodes } = await cdp.send("Accessibility.getFullAXTree");
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const within = (id: string): typeof nodes => {
    const node = byId.get(id);
    return node ? [node, ...(node.childIds ?? []).flatMap(within)] : [];
  };
  const textOf = (id: string) =>
    within(id)
      .filter(({ role }) => role?.value === "StaticText")
      .map(({ name }) => String(name?.value))
      .join("")
      .replace(/\s+/g, " ")
      .trim();
  const desk = nodes.find(({ role }) => role?.value === "region");
  return within(desk?.nodeId ?? "")
    .filter(({ role, ignored }) => role?.value === "paragraph" && !ignored)
    .map(({ nodeId }) => textOf(nodeId));
}

it("a field used forty times in an Arabic table changes everywhere at once; each place leads to its input", async () => {
  const { body } = await callApi(product, "POST", "/auth/login", product.admin);
  const lines = Array.from({ length: 40 }, (_, row) => `البند ${row + 1}`);
  const rows = lines.map((line) => [line, "{{الاسم}}"]);
  const file = writeDocx(
    product,
    "forty",
    ["{{التاريخ}}", arabicTable(rows)],
    "ar",
  );
  const form = new FormData();
  form.set("file", new Blob([readFileSync(file)]), "forty.docx");
  form.set("title", "أربعون مرة");
  form.set("language", "ar");
  const published = await fetch(`${product.address}/api/v1/documents/file`, {
    method: "POST",
    headers: { authorization: `Bearer ${body.token}` },
    body: form,
  });
  expect(published.status).toBe(201);
  const { document } = (await published.json()) as {
    document: { _id: string };
  };

  const { context, page, failures } = await openWindow(product, "ar");
  await page.goto(
    `${product.address}/user-home/form-document?document=${document._id}`,
  );
  await page.locator("[data-drawn]").first().waitFor();
  const inputs = page.locator("form [data-input]");
  await inputs.nth(1).click();
  await inputs.nth(1).pressSequentially("ليلى 12");
  const shown = () =>
    visibleText(page).then((text) => text.split("ليلى 12").length - 1);
  await expect.poll(shown).toBe(40);
  await expect
    .poll(() => page.locator("[data-field='1'][data-active]").count())
    .toBe(40);
  await page.keyboard.press("Control+z");
  await expect.poll(shown).toBe(0);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(shown).toBe(40);

  const cdp = await context.newCDPSession(page);
  const heard = await accessibleTexts(cdp);
  expect(heard.slice(1)).toEqual(lines.flatMap((line) => [line, "ليلى 12"]));

  // The last place is clicked.
  await inputs.first().click();
  const last = page.locator("[data-field='1']").last();
  await last.scrollIntoViewIfNeeded();
  await expect
    .poll(async () => {
      const box = await last.boundingBox().catch(() => null);
      if (!box) return null;
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      return inputs
        .nth(1)
        .evaluate((input) => input === window.document.activeElement);
    })
    .toBe(true);
  await takeScreenshot(page, "live-forty-ar");
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(failures).toEqual([]);
  await context.close();
});
