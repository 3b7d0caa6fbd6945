// Tests of signing in with Google. An emulator serves the pool; the test answers requests to the pages of
// Cognito's domain.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { DOMAIN, createUserPool, type Cognito } from "./cognito.ts";
import { callApi, interfaceTexts } from "./people.ts";
import {
  waitForResult,
  takeScreenshot,
  startProduct,
  openWindow,
  type Product,
} from "./product.ts";
import {
  savedDocumentsOf,
  textTemplate,
  useCount,
  savedValues,
} from "./saved.ts";

let cognito: Cognito;
let product: Product;
beforeAll(async () => {
  cognito = await createUserPool();
  product = await startProduct([
    "--limits-factor",
    "100",
    "--google",
    cognito.option,
    "--cognito-endpoint",
    cognito.endpoint,
  ]);
});
afterAll(() => product?.stop());

const text = interfaceTexts("en");
const person = {
  subject: "108100000000000000001",
  email: "gizem@example.org",
  name: "Gizem Demir",
};

/** The requests to the hosted sign-in and to its token endpoint. */
interface HostedRequests {
  authorize: URLSearchParams[];
  token: URLSearchParams[];
}

/**
 * A substitute for Cognito's hosted sign-in: a page that redirects back with a code, and an endpoint that
 * returns tokens for the code.
 */
async function mockHostedPages(
  context: BrowserContext,
  tokens: unknown,
  comingBack: (asked: URLSearchParams) => string,
): Promise<HostedRequests> {
  const seen: HostedRequests = { authorize: [], token: [] };
  await context.route(`https://${DOMAIN}/oauth2/authorize**`, (route) => {
    const asked = new URL(route.request().url()).searchParams;
    seen.authorize.push(asked);
    return route.fulfill({
      status: 302,
      headers: { location: comingBack(asked) },
    });
  });
  await context.route(`https://${DOMAIN}/oauth2/token`, (route) => {
    const cross = {
      "access-control-allow-origin": product.address,
      "access-control-allow-headers": "*",
    };
    if (route.request().method() !== "POST")
      return route.fulfill({ status: 204, headers: cross });
    seen.token.push(new URLSearchParams(route.request().postData() ?? ""));
    return route.fulfill({ status: 200, headers: cross, json: tokens });
  });
  return seen;
}

const redirectUrl = (asked: URLSearchParams, answer: Record<string, string>) =>
  `${asked.get("redirect_uri")}?${new URLSearchParams({ ...answer, state: asked.get("state") ?? "" })}`;
const button = (page: Page) =>
  page.getByRole("button", { name: text.loginPage.google });
const scripts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => /\/google-[^/]+\.js$/.test(name)),
  );

describe("signing in with Google", () => {
  it("leads through Cognito into the application, and leaves nothing of Amplify behind", async () => {
    const tokens = await cognito.tokensOf(person);
    const { context, page, failures } = await openWindow(product, "en");
    const seen = await mockHostedPages(context, tokens, (asked) =>
      redirectUrl(asked, { code: "one-time" }),
    );
    await page.goto(`${product.address}/user-home/user-all-documents?lang=fr`);
    await page.getByRole("button", { name: text.login }).click();
    await button(page).waitFor();
    expect(
      await scripts(page),
      "Amplify is not there before the press",
    ).toEqual([]);
    await takeScreenshot(page, "login-google-en");
    await page.getByRole("checkbox").check();
    await button(page).click();
    await page.waitForURL("**/user-all-documents?lang=fr");
    await page
      .getByRole("navigation", { name: text.mainNavigation })
      .getByText(person.name)
      .waitFor();
    await takeScreenshot(page, "logged-in-google-en");

    const [asked] = seen.authorize;
    expect(asked?.get("identity_provider")).toBe("Google");
    expect(asked?.get("client_id")).toBe(cognito.client);
    expect(asked?.get("redirect_uri")).toBe(`${product.address}/login`);
    expect(asked?.get("response_type")).toBe("code");
    expect(asked?.get("code_challenge_method")).toBe("S256");
    expect(asked?.get("scope")?.split(" ")).toContain(
      "aws.cognito.signin.user.admin",
    );
    expect(seen.token).toHaveLength(1);
    expect(seen.token[0]?.get("code")).toBe("one-time");
    expect(seen.token[0]?.get("code_verifier")?.length).toBeGreaterThan(42);

    const kept = await page.evaluate(() => ({ ...localStorage }));
    expect(Object.keys(kept).sort(), "remembered, and ours alone").toEqual([
      "role",
      "token",
      "user",
    ]);
    expect(kept["token"]).not.toBe(tokens.access_token);
    expect(JSON.stringify(kept)).not.toContain(tokens.refresh_token);
    const me = await callApi(
      product,
      "GET",
      "/users/me",
      undefined,
      kept["token"],
    );
    expect(me.body.user?.email).toBe(person.email);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("before a save brings a guest back to his document, and it is saved once", async () => {
    const guest = { subject: "3", email: "three@example.org", name: "Three" };
    const tokens = await cognito.tokensOf(guest);
    const { context, page, failures } = await openWindow(product, "en");
    await mockHostedPages(context, tokens, (asked) =>
      redirectUrl(asked, { code: "one-time" }),
    );
    const template = await textTemplate(product, "en");
    await page.goto(
      `${product.address}/user-home/form-document?document=${template._id}`,
    );
    await page.locator("main textarea").first().fill("Three & sons");
    await page.locator("main button[type=submit]").click();
    await waitForResult(page);
    await page
      .getByRole("button", { name: text.result.save, exact: true })
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: text.login })
      .click();
    await button(page).click();
    await page.waitForURL("**/user-home/user-documents/*");
    await page.locator("[data-drawn]").first().waitFor();
    const token =
      (await page.evaluate(
        () => sessionStorage.getItem("token") ?? localStorage.getItem("token"),
      )) ?? "";
    const [kept, ...others] = await savedDocumentsOf(product, token);
    expect(others).toEqual([]);
    expect((await savedValues(product, token, kept?._id ?? ""))[0]).toBe(
      "Three & sons",
    );
    expect(await useCount(product, template._id), "used once").toBe(1);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("that is called off says so, and the form is there", async () => {
    const { context, page } = await openWindow(product, "en");
    await mockHostedPages(context, {}, (asked) =>
      redirectUrl(asked, {
        error: "access_denied",
        error_description: "cancelled",
      }),
    );
    await page.goto(`${product.address}/login`);
    await button(page).click();
    await page.getByText(text.loginPage.googleFailed).waitFor();
    expect(new URL(page.url()).search).toBe("");
    await takeScreenshot(page, "login-google-cancelled-en");
    await context.close();
  });

  it("with a token the server refuses logs nobody in", async () => {
    const { context, page } = await openWindow(product, "en");
    const stranger = { ...person, subject: "2", email: "two@example.org" };
    const { access_token: genuine, ...rest } = await cognito.tokensOf(stranger);
    const [head, claims, signature] = genuine.split(".");
    const forged = JSON.parse(
      Buffer.from(claims ?? "", "base64url").toString(),
    ) as Record<string, unknown>;
    const other = Buffer.from(
      JSON.stringify({ ...forged, client_id: "another-client" }),
    ).toString("base64url");
    await mockHostedPages(
      context,
      { ...rest, access_token: [head, other, signature].join(".") },
      (asked) => redirectUrl(asked, { code: "one-time" }),
    );
    await page.goto(`${product.address}/login`);
    await button(page).click();
    await page.getByText(text.errors.google_refused).waitFor();
    expect(
      await page.evaluate(() => [
        localStorage.getItem("token"),
        sessionStorage.getItem("token"),
      ]),
    ).toEqual([null, null]);
    await context.close();
  });

  it("that was not begun in this browser comes to nothing", async () => {
    const { context, page } = await openWindow(product, "en");
    const seen = await mockHostedPages(context, {}, () => product.address);
    await page.goto(
      `${product.address}/login?code=somebody-elses&state=planted`,
    );
    await page.getByText(text.loginPage.googleFailed).waitFor();
    expect(seen.token, "the code is not even handed in").toEqual([]);
    await context.close();
  });
});
