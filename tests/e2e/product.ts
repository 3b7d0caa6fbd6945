// The product under test: the local server's binary on a free port with an empty data folder, and a browser.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  mkdtempSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import {
  chromium,
  type Browser,
  type BrowserContext,
  type Page,
} from "playwright-core";

import {
  registerSecret,
  registerSecretsOfBody,
  registerSecretsOfMails,
  linesWithSecrets,
} from "./log.ts";

const root = resolve(import.meta.dirname, "../..");
/** The folder of screenshots of every screen, for people to look at. It is not part of the repository. */
export const SCREENSHOT_FOLDER =
  process.env["WARAQ_SCREENSHOTS"] ?? join(root, "out/screenshots");

/** The log filter: the product's own levels, and all levels of the repository's crates. */
const LOG_FILTER =
  "info,s3s=warn,s3s_fs=warn,dynoxide=warn,functions=trace,waraq_core=trace,waraq_aws=trace,waraq_local=trace";

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Product {
  address: string;
  admin: { email: string; password: string };
  browser: Browser;
  folder: string;
  /** Returns the server's log. */
  log: () => string;
  /** Stops server and browser. Fails if the log contains a password, code, token or address. */
  stop: () => Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address
          ? found(address.port)
          : failed(new Error("no port")),
      );
    });
  });
}

/** Waits until the gateway serves the whole catalogue. The first start lays out all templates. */
async function waitUntilReady(
  address: string,
  server: ChildProcess,
  log: () => string,
): Promise<void> {
  for (let attempt = 0; attempt < 900; attempt += 1) {
    if (server.exitCode !== null)
      throw new Error(`the server ended with ${server.exitCode}:\n${log()}`);
    try {
      // The catalogue is complete only when the server reports it; the list is served before.
      const whole = /^Catalogue +ready/m.test(log());
      if (whole && (await fetch(`${address}/api/v1/documents?limit=1`)).ok)
        return;
    } catch {
      // The server does not listen yet.
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`the server was not ready within 90 seconds:\n${log()}`);
}

/** Starts the server with additional options, with the starting catalogue, and a browser. */
export async function startProduct(options: string[] = []): Promise<Product> {
  const binary =
    process.env["WARAQ_SERVER"] ?? join(root, "target/debug/waraq-local");
  const folder = mkdtempSync(join(tmpdir(), "waraq-e2e-"));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const data = join(folder, "data");
  const arguments_ = [
    "--port",
    String(port),
    "--data",
    data,
    "--static",
    process.env["WARAQ_STATIC"] ?? join(root, "frontend/dist"),
    ...options,
  ];
  const server = spawn(binary, arguments_, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, RUST_LOG: LOG_FILTER },
  });
  let [said, log] = ["", ""];
  server.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  server.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  await waitUntilReady(address, server, () => `${said}\n${log}`);
  const browser = await chromium.launch({
    executablePath: browserPath(),
    headless: true,
    args: CHROMIUM_FLAGS,
  });
  const admin = readFirstAdmin(data);
  registerSecret(admin.password);
  return {
    address,
    admin,
    browser,
    folder,
    log: () => log,
    stop: async () => {
      await browser.close();
      const mails = await fetch(`${address}/dev/mail.json`);
      registerSecretsOfMails((await mails.json()) as { text: string }[]);
      const ended = new Promise((done) => server.once("close", done));
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
      const told = linesWithSecrets(log);
      if (told.length > 0)
        throw new Error(`the log tells secrets:\n${told.join("\n")}`);
      if (!log.includes('"function"')) throw new Error(`no log:\n${log}`);
    },
  };
}

function readFirstAdmin(data: string): Product["admin"] {
  const text = readFileSync(join(data, "first-admin.txt"), "utf8");
  const email = /\S+@\S+/.exec(text)?.[0];
  const password = /password:?\s+(\S+)/i.exec(text)?.[1];
  if (!email || !password)
    throw new Error(
      "first-admin.txt does not tell the address and the password",
    );
  return { email, password };
}

function browserPath(): string {
  const wanted = process.env["WARAQ_BROWSER"] ?? "chromium";
  for (const name of [
    wanted,
    "chromium",
    "google-chrome",
    "google-chrome-stable",
    "chromium-browser",
  ]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // The next candidate is tried.
    }
  }
  throw new Error("no Chromium or Chrome on this machine");
}

export type Language = "en" | "fr" | "ar";

/** Opens a desktop window in a language. `failures` collects errors that are not visible on the page. */
export async function openWindow(
  product: Product,
  language: Language,
  dark = false,
) {
  const context = await product.browser.newContext({
    viewport: { width: 1366, height: 900 },
    locale: language,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  // A machine that also builds is slow; that is not a failure.
  context.setDefaultTimeout(90_000);
  context.on("request", (request) => registerSecretsOfBody(request.postData()));
  const failures: string[] = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => failures.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") failures.push(`console: ${message.text()}`);
  });
  return { context, page, failures };
}

export async function takeScreenshot(
  page: Page,
  name: string,
  fullPage = false,
): Promise<void> {
  mkdirSync(SCREENSHOT_FOLDER, { recursive: true });
  await page.evaluate(() => document.fonts.ready);
  writeFileSync(
    join(SCREENSHOT_FOLDER, `${name}.png`),
    await page.screenshot({ fullPage }),
  );
}

/** Returns the text of a PDF in reading order, as a search in a reader finds it. */
export function textOfPdf(bytes: Uint8Array): string {
  return execFileSync("pdftotext", ["-", "-"], {
    input: bytes,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
}

/** Returns the file that a click downloads. A tab that also opens the file is closed. */
export async function downloadBy(
  context: BrowserContext,
  page: Page,
  press: () => Promise<void>,
): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    press(),
  ]);
  const path = await download.path();
  for (const tab of context.pages()) if (tab !== page) await tab.close();
  return { name: download.suggestedFilename(), bytes: readFileSync(path) };
}

/** Waits until the finished pages are drawn and the files can be downloaded. */
export async function waitForResult(page: Page): Promise<void> {
  await page.waitForURL("**/user-home/document-result**");
  await page.locator("main header button:not([disabled])").last().waitFor();
  await page.waitForFunction(
    () => !document.querySelector("main header button[disabled]"),
  );
  await page.locator("[data-drawn]").first().waitFor();
}
