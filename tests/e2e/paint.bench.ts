// `cargo xtask bench paint`: measures how long first visitors wait for the catalogue, and the delay of each
// interaction. It runs at full speed and with the processor slowed down by four, and prints the results next to
// their limits.
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";

import { startProduct, openWindow, type Product } from "./product.ts";

const RUNS = Number(process.env["WARAQ_RUNS"] ?? 5);
/** The slow-down of the processor, and the milliseconds within which cards must be visible. */
const SPEEDS = [
  { slower: 1, cardsWithin: 1200 },
  { slower: 4, cardsWithin: 2500 },
];
/** The limit for the response to an interaction. */
const ANSWERED_WITHIN_MS = 100;

interface Visit {
  /** Milliseconds from the start of the navigation. */
  firstPaint: number;
  cards: number;
  /** The time when every picture in the window is loaded. */
  pictures: number;
  /** Transferred bytes by kind of resource. */
  bytes: Record<string, number>;
}

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const median = (numbers: number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/** Opens a browser with empty caches, its processor slowed down by the factor `slower`. */
async function openFirstVisit(
  slower: number,
): Promise<{ context: BrowserContext; page: Page; cdp: CDPSession }> {
  const { context, page } = await openWindow(product, "en");
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slower });
  await page.addInitScript(() => {
    const marks: Record<string, number> = {};
    const presses: { name: string; target: string; ms: number }[] = [];
    Object.assign(window, { marks, presses });
    const look = () => {
      const cards = [
        ...document.querySelectorAll("main li:has(h2 a)"),
      ] as HTMLElement[];
      if (cards.length > 0) {
        // The elements found in this frame are visible with the next one.
        marks["cards"] ??= performance.now();
        const seen = cards.filter(
          (card) => card.getBoundingClientRect().top < window.innerHeight,
        );
        const whole = seen.every((card) => {
          const picture = card.querySelector("img");
          return picture?.complete && picture.naturalWidth > 0;
        });
        if (whole) {
          marks["pictures"] ??= performance.now();
          return;
        }
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        if (
          !["keydown", "pointerdown", "pointerup", "click"].includes(entry.name)
        )
          continue;
        const target = entry.target as Element | null;
        const label =
          target?.getAttribute("aria-label") ??
          target?.textContent?.trim().slice(0, 24) ??
          "";
        presses.push({ name: entry.name, target: label, ms: entry.duration });
      }
    }).observe({
      type: "event",
      durationThreshold: 16,
    } as PerformanceObserverInit);
  });
  return { context, page, cdp };
}

async function measureVisit(slower: number): Promise<Visit> {
  const { context, page, cdp } = await openFirstVisit(slower);
  const bytes: Record<string, number> = {};
  const kinds = new Map<string, string>();
  await cdp.send("Network.enable");
  cdp.on("Network.responseReceived", ({ requestId, type }) =>
    kinds.set(requestId, type),
  );
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? "Other";
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength;
  });
  await page.goto(`${product.address}/user-home/user-all-documents`);
  await page.waitForFunction(
    () =>
      (window as unknown as { marks: { pictures?: number } }).marks.pictures,
  );
  const seen = await page.evaluate(() => ({
    ...(window as unknown as { marks: { cards: number; pictures: number } })
      .marks,
    firstPaint:
      performance.getEntriesByName("first-contentful-paint")[0]?.startTime ??
      NaN,
  }));
  await context.close();
  return { ...seen, bytes };
}

/** Performs the interactions of a visitor. Returns the longest delay of each. */
async function measureInteractions(
  slower: number,
): Promise<Map<string, number>> {
  const { context, page } = await openFirstVisit(slower);
  await page.goto(`${product.address}/user-home/user-all-documents`);
  const cards = page.locator("main li h2 a");
  await cards.first().waitFor();
  const longest = new Map<string, number>();
  const pressed = async (what: string, press: () => Promise<unknown>) => {
    await page.evaluate(() => {
      (window as unknown as { presses: unknown[] }).presses.length = 0;
    });
    await press();
    // An event is reported after the next frame is painted.
    await page.waitForTimeout(200 * slower);
    const told = await page.evaluate(
      () => (window as unknown as { presses: { ms: number }[] }).presses,
    );
    // Events shorter than one frame are not reported.
    longest.set(what, Math.max(0, ...told.map(({ ms }) => ms)));
  };
  const search = page.locator("main input").first();
  await pressed("search: a letter", async () => {
    await search.focus();
    await page.keyboard.press("l");
  });
  await pressed("search: cleared", () => page.keyboard.press("Escape"));
  const selects = page.locator("[role=search] input[readonly]");
  await pressed("sort: opened", () => selects.last().click());
  await pressed("sort: chosen", () => page.keyboard.press("ArrowDown"));
  await pressed("sort: taken", () => page.keyboard.press("Enter"));
  await pressed("categories: opened", () =>
    page.getByRole("button", { name: "Categories" }).click(),
  );
  await pressed("categories: one ticked", () =>
    page.getByRole("checkbox").first().click(),
  );
  await pressed("categories: closed", () => page.keyboard.press("Escape"));
  await pressed("country: opened", () =>
    page.getByRole("combobox", { name: "Country" }).click(),
  );
  await pressed("country: a letter", () => page.keyboard.press("f"));
  await pressed("country: closed", () => page.keyboard.press("Escape"));
  await page.goto(`${product.address}/user-home/user-all-documents`);
  await cards.first().waitFor();
  await page.mouse.move(40, 400);
  await page.waitForTimeout(300 * slower);
  await pressed("a card: opened", () => cards.first().click());
  await page.locator("[data-drawn]").first().waitFor();
  await pressed("generate", () =>
    page.getByRole("link", { name: "Fill in this template" }).first().click(),
  );
  await page.locator("main textarea").first().waitFor();
  await page.waitForTimeout(300 * slower);
  await pressed("a field: a letter", async () => {
    await page.locator("main textarea").first().focus();
    await page.keyboard.press("A");
  });
  await page.goto(`${product.address}/user-home/user-all-documents`);
  await cards.first().waitFor();
  await pressed("language: opened", () =>
    page.getByRole("combobox", { name: "Site language" }).click(),
  );
  await pressed("language: Arabic", () =>
    page.getByRole("option", { name: "العربية" }).click(),
  );
  await context.close();
  return longest;
}

/** Returns the time from the click on a card to its title and first page, as known from the list. */
async function measureOpening(slower: number): Promise<number> {
  const { context, page } = await openFirstVisit(slower);
  await page.goto(`${product.address}/user-home/user-all-documents`);
  await page.locator("main li h2 a").first().waitFor();
  await page.mouse.move(40, 400);
  await page.waitForTimeout(500 * slower);
  const took = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const link = document.querySelector<HTMLElement>("main li h2 a");
        const title = link?.textContent;
        const began = performance.now();
        link?.click();
        const look = () => {
          const shown =
            document.querySelector("main h1")?.textContent === title;
          const page = document.querySelector<HTMLImageElement>(
            "main [role=region] img, main [data-drawn]",
          );
          if (shown && page) done(performance.now() - began);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );
  await context.close();
  return took;
}

const row = (...cells: (string | number)[]) =>
  cells
    .map((cell, index) =>
      index === 0
        ? String(cell).padEnd(28)
        : (typeof cell === "number" ? cell.toFixed(0) : cell).padStart(12),
    )
    .join("");

describe("first paint", () => {
  it.each(SPEEDS)(
    "at $slower times the processor's time",
    async ({ slower, cardsWithin }) => {
      // The first visit only warms up the server.
      await measureVisit(slower);
      const visits: Visit[] = [];
      for (let run = 0; run < RUNS; run += 1)
        visits.push(await measureVisit(slower));
      const openings: number[] = [];
      for (let run = 0; run < RUNS; run += 1)
        openings.push(await measureOpening(slower));
      const of = (what: "firstPaint" | "cards" | "pictures") =>
        median(visits.map((one) => one[what]));
      const lines = [
        `\nprocessor ${slower === 1 ? "at full speed" : `slower by ${slower}`}, median of ${RUNS}`,
        row("", "ms", "held against"),
        row("first paint", of("firstPaint")),
        row("cards", of("cards"), cardsWithin),
        row("and their pictures", of("pictures")),
        row("a card opened", median(openings)),
        row("over the wire", "kB"),
        ...Object.entries(visits.at(-1)?.bytes ?? {}).map(([kind, bytes]) =>
          row(`  ${kind}`, bytes / 1000),
        ),
      ];
      const rounds: Map<string, number>[] = [];
      for (let run = 0; run < Math.min(RUNS, 3); run += 1)
        rounds.push(await measureInteractions(slower));
      lines.push(row("a press unanswered for", "ms", ANSWERED_WITHIN_MS));
      for (const what of rounds[0]?.keys() ?? [])
        lines.push(
          row(
            `  ${what}`,
            median(rounds.map((round) => round.get(what) ?? NaN)),
          ),
        );
      console.info(lines.join("\n"));
    },
    1_200_000,
  );
});
