// The people of the tests: their accounts, their mails, and the actions that many tests repeat.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { Page } from "playwright-core";

import type en from "../../frontend/src/shared/i18n/locales/en.json";
import type documents from "../../frontend/src/shared/i18n/locales/documents/en.json";
import type fields from "../../frontend/src/shared/i18n/locales/fields/en.json";
import type pictures from "../../frontend/src/shared/i18n/locales/pictures/en.json";
import type templates from "../../frontend/src/shared/i18n/locales/templates/en.json";
import { registerSecretsOfBody } from "./log.ts";
import type { Language, Product } from "./product.ts";

export interface Person {
  userName: string;
  email: string;
  password: string;
}

let people = 0;

/** Returns a new person. Each test has its own, because mails to one address are limited. */
export function createPerson(userName = "Amal Ben Salah"): Person {
  people += 1;
  const name = `person-${Date.now().toString(36)}-${people}`;
  return {
    userName,
    email: `${name}@example.org`,
    password: `Correct-horse-${people}`,
  };
}

type Texts = typeof en &
  typeof documents &
  typeof fields &
  typeof pictures &
  typeof templates;

/** Returns the texts of the interface, including those of forms and of the admin screens. */
export function interfaceTexts(language: Language): Texts {
  const read = (name: string) =>
    JSON.parse(
      readFileSync(
        resolve(
          import.meta.dirname,
          `../../frontend/src/shared/i18n/locales/${name}.json`,
        ),
        "utf8",
      ),
    ) as Record<string, object>;
  const files = [
    language,
    `documents/${language}`,
    `fields/${language}`,
    `pictures/${language}`,
    `templates/${language}`,
  ];
  // A group may have texts in several files.
  const texts: Record<string, object> = {};
  for (const [group, content] of files.flatMap((name) =>
    Object.entries(read(name)),
  ))
    texts[group] =
      typeof content === "object" ? { ...texts[group], ...content } : content;
  return texts as unknown as Texts;
}

/** Returns the names of all groups of texts, with which the keys of texts begin. */
export function textGroups(): string[] {
  const folder = resolve(
    import.meta.dirname,
    "../../frontend/src/shared/i18n/locales",
  );
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("en.json"))
    .flatMap((name) =>
      Object.entries(
        JSON.parse(readFileSync(resolve(folder, name), "utf8")) as object,
      ),
    )
    .flatMap(([name, texts]) => (typeof texts === "object" ? [name] : []));
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  language: string;
  kind: string;
  replyTo?: string;
}

/** Waits for a mail of a kind to an address, and returns the newest. */
export async function waitForMail(
  product: Product,
  to: string,
  kind: string,
  fits: (mail: Mail) => boolean = () => true,
): Promise<Mail> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(`${product.address}/dev/mail.json`);
    const mails = (await answer.json()) as Mail[];
    const found = mails.find(
      (mail) => mail.to === to && mail.kind === kind && fits(mail),
    );
    if (found) return found;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`no mail of kind ${kind} to ${to}`);
}

export function codeInMail(mail: Mail): string {
  const code = /^\d{6}$/m.exec(mail.text)?.[0];
  if (!code) throw new Error(`no code in: ${mail.text}`);
  return code;
}

export function linkInMail(mail: Mail): string {
  const link = /^http\S+#token=\S+$/m.exec(mail.text)?.[0];
  if (!link) throw new Error(`no link in: ${mail.text}`);
  return link;
}

interface ApiResponse {
  status: number;
  headers: Headers;
  body: {
    token?: string;
    userId?: string;
    code?: string;
    user?: { _id: string; email: string };
  };
}

/** Calls the API without a browser. */
export async function callApi(
  product: Product,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  language: Language = "en",
): Promise<ApiResponse> {
  const sent = body === undefined ? null : JSON.stringify(body);
  registerSecretsOfBody(sent);
  const answer = await fetch(`${product.address}/api/v1${path}`, {
    method,
    headers: {
      "accept-language": language,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: sent,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text ? JSON.parse(text) : {}) as ApiResponse["body"],
  };
}

/**
 * Creates an account with a proven address without a browser. At login its language becomes that of the
 * interface.
 */
export async function createAccount(
  product: Product,
  person = createPerson(),
  language: Language = "en",
): Promise<Person & { token: string }> {
  const { userName, email, password } = person;
  const registered = await callApi(
    product,
    "POST",
    "/auth/register",
    { userName, email, password },
    undefined,
    language,
  );
  const { userId } = registered.body;
  const otp = codeInMail(await waitForMail(product, email, "register-code"));
  const verified = await callApi(product, "POST", "/auth/verify-otp", {
    userId,
    otp,
  });
  if (!verified.body.token)
    throw new Error(
      `not verified: ${registered.status} ${verified.status} ${JSON.stringify(verified.body)}`,
    );
  return { ...person, token: verified.body.token };
}

/**
 * Clicks and waits for the toast. A success toast disappears after two seconds, so the waiting starts before
 * the click.
 */
export async function clickAndWaitForText(
  page: Page,
  press: () => Promise<unknown>,
  ...said: string[]
): Promise<void> {
  await Promise.all([
    ...said.map((text) => page.getByText(text).first().waitFor()),
    press(),
  ]);
}

export async function fillLogin(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.locator("input[name=email]").fill(email);
  await page.locator("input[name=password]").fill(password);
}

/** Logs in at the login screen and waits for the page that follows. */
export async function logIn(
  product: Product,
  page: Page,
  person: { email: string; password: string },
  remember = false,
): Promise<void> {
  await page.goto(`${product.address}/login`);
  await fillLogin(page, person);
  if (remember) await page.getByRole("checkbox").check();
  await page.locator("button[type=submit]").click();
  await page.waitForURL((url) => url.pathname !== "/login");
}

/** Types a code like a user: into the first box, from which the focus moves on by itself. The sixth digit submits it. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await page.locator("[role=group] input").first().click();
  await page.keyboard.type(code);
}
