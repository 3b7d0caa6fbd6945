// The admin's screens about users: the dashboard, the users and the messages. One pass through all of them in
// each language; special cases in English only.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type en from "../../frontend/src/shared/i18n/locales/people/en.json";
import { accessibilityViolations } from "./hindrances.ts";
import {
  createAccount,
  callApi,
  logIn,
  waitForMail,
  clickAndWaitForText,
  createPerson,
  interfaceTexts,
  type Person,
} from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";

let product: Product;
let token: string;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
  token = (await callApi(product, "POST", "/auth/login", product.admin)).body
    .token as string;
});
afterAll(() => product?.stop());

/** The texts of these screens. */
export function texts(language: Language): typeof en {
  const file = resolve(
    import.meta.dirname,
    `../../frontend/src/shared/i18n/locales/people/${language}.json`,
  );
  return JSON.parse(readFileSync(file, "utf8")) as typeof en;
}

const rows = (page: Page) => page.locator("tbody tr");
const header = (page: Page, name: string) =>
  page.locator("thead button").filter({ hasText: name });
const dialog = (page: Page) => page.getByRole("dialog");

/** Opens a window of the admin, with their language set. */
async function admin(language: Language, dark = false) {
  const opened = await openWindow(product, language, dark);
  await callApi(product, "PATCH", "/users/me", { language }, token);
  await logIn(product, opened.page, product.admin);
  await opened.page.waitForURL(`${product.address}/`);
  return opened;
}

describe.each(["en", "fr", "ar"] as Language[])("in %s", (language) => {
  const text = interfaceTexts(language);
  const own = texts(language);

  it("an admin reads the numbers, finds people, changes a role, deletes an account and answers a message", async () => {
    const amina = await createAccount(
      product,
      createPerson(`Amina ${language}`),
      language,
    );
    const brahim = await createAccount(
      product,
      createPerson(`Brahîm ${language}`),
      language,
    );
    const question = { en: "A question?", fr: "Une question ?", ar: "سؤال؟" }[
      language
    ];
    await callApi(
      product,
      "POST",
      "/support-messages",
      { email: "", message: question },
      amina.token,
      language,
    );

    // The dashboard.
    const { context, page, failures } = await admin(language);
    await page.getByRole("heading", { name: own.dashboard.heading }).waitFor();
    await expect
      .poll(() => page.locator("dl dd").allTextContents())
      .not.toContain("–");
    await page.locator(".recharts-line path").first().waitFor();
    expect(await page.locator(".recharts-line path").count()).toBe(2);
    const strokes = page.locator(".recharts-line path.recharts-line-curve");
    expect(
      await strokes.evaluateAll((lines) =>
        lines.map((line) => [
          line.getAttribute("stroke"),
          line.getAttribute("stroke-width"),
        ]),
      ),
    ).toEqual([
      ["#000000", "3"],
      ["#808080", "3"],
    ]);
    expect(await page.locator(".rtl").count()).toBe(language === "ar" ? 1 : 0);
    await page.getByText(own.dashboard.showTable).first().click();
    const months = page.locator("details[open] tbody tr");
    expect(await months.count()).toBe(12);
    await takeScreenshot(page, `dashboard-${language}`, true);
    expect(await accessibilityViolations(page)).toEqual([]);

    // The users.
    await page.getByRole("link", { name: text.adminMenu.users }).click();
    await rows(page).first().waitFor();
    const search = page
      .getByRole("searchbox")
      .or(page.getByLabel(own.users.search));
    await search.first().fill(`brahim ${language}`);
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await rows(page).first().innerText()).toContain(brahim.email);
    await page
      .getByRole("combobox", {
        name: own.users.roleOf.replace("{{name}}", brahim.userName),
      })
      .click();
    await page.getByRole("option", { name: own.users.roleAdmin }).click();
    await dialog(page).waitFor();
    await takeScreenshot(page, `users-role-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await clickAndWaitForText(
      page,
      () =>
        dialog(page)
          .getByRole("button", { name: own.users.promoteConfirm })
          .click(),
      own.users.roleChanged,
    );
    // The user is an admin from the next login on, and the old session has ended.
    expect(
      (await callApi(product, "GET", "/users", undefined, brahim.token)).body
        .code,
    ).toBe("session_ended");
    const again = await callApi(product, "POST", "/auth/login", {
      email: brahim.email,
      password: brahim.password,
    });
    expect(
      (await callApi(product, "GET", "/users", undefined, again.body.token))
        .status,
    ).toBe(200);
    // The user's history names the admin who changed the role.
    await page
      .getByRole("button", {
        name: own.users.history.replace("{{name}}", brahim.userName),
      })
      .click();
    await dialog(page).getByText(own.users.roleBecameAdmin).waitFor();
    await dialog(page).getByText(own.users.joined).waitFor();
    await takeScreenshot(page, `users-history-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await page
      .getByRole("button", {
        name: own.users.delete.replace("{{name}}", brahim.userName),
      })
      .click();
    await dialog(page).waitFor();
    await takeScreenshot(page, `users-delete-${language}`);
    await clickAndWaitForText(
      page,
      () =>
        dialog(page)
          .getByRole("button", { name: own.users.deleteConfirm })
          .click(),
      own.users.deleted,
    );
    await page.getByText(own.users.noneFound).waitFor();
    await waitForMail(product, brahim.email, "account-deleted");
    await takeScreenshot(page, `users-none-${language}`);

    // The messages.
    await page.getByRole("link", { name: text.adminMenu.messages }).click();
    const message = page.getByRole("article").filter({ hasText: amina.email });
    await message.waitFor();
    expect(await message.innerText()).toContain(question);
    await message
      .getByRole("button", { name: own.messages.answer, exact: true })
      .click();
    await message.locator("button[type=submit]").click();
    await page.getByText(own.messages.answerRequired).waitFor();
    const answer = `${question} !`;
    await page.locator("textarea[name=message]").fill(answer);
    await takeScreenshot(page, `messages-${language}`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await clickAndWaitForText(
      page,
      () => message.locator("button[type=submit]").click(),
      own.messages.answered,
    );
    await message.waitFor({ state: "detached" });
    const mail = await waitForMail(product, amina.email, "support-answer");
    expect(mail).toMatchObject({ language });
    expect(mail.text).toContain(answer);
    await page.getByText(own.messages.closed, { exact: true }).click();
    await message.getByText(answer).waitFor();
    await takeScreenshot(page, `messages-closed-${language}`);
    await clickAndWaitForText(
      page,
      () => message.getByRole("button", { name: own.messages.reopen }).click(),
      own.messages.reopened,
    );
    expect(failures).toEqual([]);
    await context.close();
  });
});

describe("the charts", () => {
  it.each(["en", "fr", "ar"] as const)(
    "show no line while loading, every month, and no dot on hover (%s)",
    async (language) => {
      const { context, page } = await openWindow(product, language);
      await callApi(product, "PATCH", "/users/me", { language }, token);
      await page.setViewportSize({ width: 1024, height: 768 });
      let release = () => {};
      const held = new Promise<void>((done) => (release = done));
      await page.route("**/getDashboardData", async (route) => {
        await held;
        await route.continue();
      });
      await logIn(product, page, product.admin);
      await page.waitForURL(`${product.address}/`);
      await page
        .getByRole("status")
        .filter({ hasText: interfaceTexts(language).loading })
        .first()
        .waitFor();
      // The library of the charts is loaded before the numbers are.
      await page.waitForFunction(() =>
        performance
          .getEntriesByType("resource")
          .some(({ name }) => name.includes("MonthChart")),
      );
      await page.evaluate(
        () =>
          new Promise((painted) =>
            requestAnimationFrame(() => requestAnimationFrame(painted)),
          ),
      );
      expect(await page.locator(".recharts-line path").count()).toBe(0);
      release();
      const chart = page.locator(".recharts-wrapper").first();
      await chart.locator(".recharts-line path").waitFor();
      const labels = await chart
        .locator(".recharts-xAxis-tick-labels text")
        .evaluateAll((all) =>
          all
            .map((label) => label.getBoundingClientRect())
            .sort((one, other) => one.left - other.left)
            .map(({ left, right }) => ({ left, right })),
        );
      expect(labels.length).toBe(12);
      labels.forEach(({ left }, index) => {
        const before = labels[index - 1];
        if (before) expect(left).toBeGreaterThan(before.right);
      });
      await chart.hover();
      await page.locator(".recharts-tooltip-wrapper").first().waitFor();
      expect(await page.locator(".recharts-active-dot").count()).toBe(0);
      await takeScreenshot(page, `dashboard-1024-${language}`, true);
      await context.close();
    },
  );
});

describe("the list of users", () => {
  const own = texts("en");
  const people: Person[] = [];
  beforeAll(async () => {
    for (let number = 0; number < 14; number += 1)
      people.push(
        await createAccount(
          product,
          createPerson(`Page ${String(number).padStart(2, "0")}`),
        ),
      );
  });

  it("sorts by a column and turns it around, keeps the page rules, and is all in its address", async () => {
    const { context, page } = await admin("en");
    await page.goto(`${product.address}/users?userName=page`);
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(10);
    await page.getByRole("button", { name: "Page 2", exact: true }).click();
    await expect.poll(() => rows(page).count()).toBe(4);
    // Sorting by another column starts at the first page, ascending. Sorting by the same column again reverses it
    // and keeps the page.
    await header(page, "User name").click();
    await page.waitForURL("**/users?userName=page&sortBy=userName");
    await expect
      .poll(() => rows(page).first().innerText())
      .toContain("Page 00");
    await page.getByRole("button", { name: "Page 2", exact: true }).click();
    await header(page, "User name").click();
    await page.waitForURL("**sortBy=userName&sortOrder=desc&page=2");
    await expect
      .poll(() => rows(page).first().innerText())
      .toContain("Page 03");
    expect(
      await page.locator("th[aria-sort=descending]").innerText(),
    ).toContain("User name");
    // Sorting works by keyboard too, and its URL shows the same list.
    await header(page, "Email").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**sortBy=email");
    await page.reload();
    await page.locator("th[aria-sort=ascending]").waitFor();
    // A new search starts at the first page; a page number that is too high shows the last page.
    await page.goto(`${product.address}/users?userName=page&page=9`);
    await page.waitForURL("**/users?userName=page&page=2");
    await page.keyboard.press("/");
    await page.keyboard.type(" 00");
    await page.waitForURL((url) => !url.searchParams.has("page"));
    await expect.poll(() => rows(page).count()).toBe(1);
    // The admin's own row offers neither deletion nor a role change.
    await page.goto(`${product.address}/users?userName=admin`);
    const mine = rows(page).filter({ hasText: product.admin.email });
    await mine.getByText(own.users.you).waitFor();
    // The only button shows the history.
    expect(await mine.getByRole("button").count()).toBe(1);
    await context.close();
  });

  it.each(["en", "fr", "ar"] as const)(
    "is a table with whole ids on a window of 1024 × 768, without horizontal scrolling (%s)",
    async (language) => {
      const { context, page } = await admin(language);
      await page.setViewportSize({ width: 1024, height: 768 });
      await page.goto(`${product.address}/users`);
      await rows(page).first().waitFor();
      expect(
        await page
          .locator("tbody")
          .evaluate((body) => getComputedStyle(body).display),
      ).toBe("table-row-group");
      // Nothing is wider than its place: neither the page nor a cell.
      const wide = await page.evaluate(() =>
        [
          document.documentElement,
          ...document.querySelectorAll("table, th, td"),
        ]
          .filter((part) => part.scrollWidth > part.clientWidth)
          .map((part) => `${part.tagName} ${part.textContent?.slice(0, 40)}`),
      );
      expect(wide).toEqual([]);
      const id = rows(page).first().locator("td").first();
      expect((await id.innerText()).trim()).toMatch(/^[0-9a-z]{26}$/i);
      const lines = await id.locator("span").evaluate((span) => {
        const range = document.createRange();
        range.selectNodeContents(span);
        return range.getClientRects().length;
      });
      expect(lines).toBe(2);
      await takeScreenshot(page, `users-1024-${language}`);
      await context.close();
    },
  );

  it("says what failed and loses nothing, and shows nothing of it to others", async () => {
    const text = interfaceTexts("en");
    const { context, page } = await admin("en");
    await page.route("**/api/v1/users?**", (route) => route.abort(), {
      times: 4,
    });
    await page.goto(`${product.address}/users?userName=page`);
    await page.getByText(own.users.failed).waitFor();
    await takeScreenshot(page, "users-failed");
    await page.unrouteAll();
    await page.getByRole("button", { name: text.retry }).click();
    await rows(page).first().waitFor();
    // Another admin has deleted the user meanwhile.
    const gone = people[13] as Person;
    const { users } = (
      await callApi(
        product,
        "GET",
        "/users?userName=page%2013",
        undefined,
        token,
      )
    ).body as unknown as { users: { _id: string }[] };
    await callApi(
      product,
      "DELETE",
      `/users/${users[0]?._id}`,
      undefined,
      token,
    );
    const name = own.users.delete.replace("{{name}}", gone.userName);
    await page.getByRole("button", { name }).click();
    // While the account is being deleted, a second deletion succeeds too.
    await clickAndWaitForText(
      page,
      () =>
        dialog(page)
          .getByRole("button", { name: own.users.deleteConfirm })
          .click(),
      own.users.deleted,
    );
    await page.getByRole("button", { name }).waitFor({ state: "detached" });
    await page.route("**/getDashboardData", (route) => route.abort(), {
      times: 4,
    });
    await page.goto(product.address);
    await page.getByText(own.dashboard.failed).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: text.retry }).click();
    await page.locator(".recharts-line path").first().waitFor();
    await context.close();

    const user = await openWindow(product, "en");
    await logIn(product, user.page, people[0] as Person);
    for (const path of ["/users", "/messages"]) {
      await user.page.goto(product.address + path);
      await user.page
        .getByRole("heading", { name: text.notFound.title })
        .waitFor();
    }
    await user.page.goto(product.address);
    await user.page.waitForURL("**/user-all-documents");
    expect(await user.page.getByText(text.adminMenu.users).count()).toBe(0);
    await user.context.close();
  });
});
