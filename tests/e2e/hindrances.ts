// Accessibility problems of a screen, as found by axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

import type { Page } from "playwright-core";

const axe = readFileSync(
  createRequire(
    resolve(import.meta.dirname, "../../frontend/package.json"),
  ).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Returns the violations on a page, minor ones included, each with the elements concerned. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  // Waits for transitions, because a colour in transition has no valid contrast, and a recent update may only
  // start one.
  await page.evaluate(async () => {
    const frame = () =>
      new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const ending = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === "running" &&
            effect?.getComputedTiming().endTime !== Infinity,
        );
    do {
      await Promise.allSettled(ending().map(({ finished }) => finished));
      await frame();
      await frame();
    } while (ending().length > 0);
  });
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as {
      axe: {
        run: () => Promise<{
          violations: {
            id: string;
            impact: string;
            nodes: { html: string }[];
          }[];
        }>;
      };
    };
    return (await checker.run()).violations.map(
      ({ id, impact, nodes }) =>
        `${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`,
    );
  });
}
