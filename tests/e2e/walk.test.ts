// Every screen in three languages, in light and dark mode, from 400 % zoom to a wide window. Each must be
// complete, usable and without console errors. The screenshots are kept for people to look at.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { accessibilityViolations } from "./hindrances.ts";
import { deleteEntries } from "./device.ts";
import {
  createAccount,
  callApi,
  fillLogin,
  logIn,
  createPerson,
  interfaceTexts,
  textGroups,
} from "./people.ts";
import { saveDocument, textTemplate } from "./saved.ts";
import { writeDocx } from "./word.ts";
import {
  waitForResult,
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const TEXT_GROUPS = textGroups();

/** Returns the visible faults of a page. */
const pageFlaws = (page: Page) =>
  page.evaluate((groups) => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth)
      found.push(`scrolls sideways: ${scrollWidth} in ${clientWidth}`);
    // A file may have the name of a group of texts.
    const key = new RegExp(
      `\\b(${groups.join("|")})\\.(?!(docx|pdf)\\b)[a-z]\\w*`,
      "i",
    ).exec(document.body.innerText);
    if (key) found.push(`a key: ${key[0]}`);

    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      const style = getComputedStyle(element);
      const own = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      const quiet =
        element.closest(
          ".mantine-VisuallyHidden-root, .textLayer, [aria-hidden=true]",
        ) ||
        style.textOverflow === "ellipsis" ||
        style.webkitLineClamp !== "none";
      if (
        own &&
        !quiet &&
        style.overflowX !== "visible" &&
        style.overflowX !== "auto" &&
        element.scrollWidth > element.clientWidth + 1
      )
        found.push(`cut off: ${element.textContent?.slice(0, 40)}`);
    }

    // Borders of inputs have a contrast of 3 : 1 to the surrounding background (WCAG 1.4.11).
    const channels = (colour: string) =>
      (/rgba?\(([^)]+)\)/.exec(colour)?.[1] ?? "0,0,0,0")
        .split(",")
        .map(Number);
    const luminance = (colour: string) => {
      const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element: Element | null): string => {
      for (let at = element; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at);
        if ((channels(backgroundColor)[3] ?? 1) === 1) return backgroundColor;
      }
      return "rgb(255,255,255)";
    };
    for (const field of document.querySelectorAll<HTMLInputElement>(
      "input:not([type=hidden]):not([type=file]), textarea:not([aria-hidden])",
    )) {
      const style = getComputedStyle(field);
      if (
        !field.checkVisibility() ||
        style.borderTopWidth === "0px" ||
        style.opacity === "0"
      )
        continue;
      // A ticked box is recognised by its fill.
      if (
        field.checked ||
        field.disabled ||
        field.getBoundingClientRect().width < 8
      )
        continue;
      const [one, two] = [
        luminance(style.borderTopColor),
        luminance(ground(field.parentElement)),
      ].sort((a, b) => b - a) as [number, number];
      const contrast = (one + 0.05) / (two + 0.05);
      if (contrast < 3)
        found.push(
          `border ${contrast.toFixed(2)} : 1 of ${field.name || field.ariaLabel}`,
        );
    }
    return found;
  }, TEXT_GROUPS);

describe.each<[Language, boolean, number, number]>([
  ["en", false, 1280, 800],
  ["ar", false, 320, 256],
  ["en", true, 320, 256],
  ["ar", true, 1280, 800],
  ["fr", false, 1920, 1080],
  ["fr", true, 320, 256],
])("every screen (%s, dark: %s, %i × %i)", (language, dark, width, height) => {
  it("is whole and can be used", async () => {
    const text = interfaceTexts(language);
    const { context, page, failures } = await openWindow(
      product,
      language,
      dark,
    );
    await page.setViewportSize({ width, height });
    const look = async (name: string, at = page) => {
      await takeScreenshot(
        at,
        `walk-${name}-${language}-${dark ? "dark" : "light"}-${width}`,
        width < 400,
      );
      const found = [
        ...(await pageFlaws(at)),
        ...(await accessibilityViolations(at)),
      ];
      if (found.length > 0) console.warn(name, found);
      expect.soft(found, name).toEqual([]);
    };
    const open = async (path: string, there: string) => {
      await page.goto(product.address + path);
      await page.locator(there).first().waitFor();
    };
    const press = (name: string) =>
      page.getByRole("button", { name, exact: true }).click();
    const submit = () => page.locator("main button[type=submit]").click();

    await open(
      `/user-home/user-all-documents?lang=${language}`,
      "ul[aria-label] li img",
    );
    await look("catalogue");
    await page.locator("header input[aria-label]").first().click();
    await page.getByRole("option").first().waitFor();
    await look("countries");
    await page.keyboard.press("Escape");
    await press(text.catalogue.categories);
    await page.locator("input[type=checkbox]").first().waitFor();
    await look("categories");
    await page.keyboard.press("Escape");
    await open("/user-home/user-all-documents?title=zzzz", "main h2");
    await look("catalogue-empty");

    await open(
      `/user-home/user-all-documents?lang=${language}`,
      "ul[aria-label] li a",
    );
    const template = await textTemplate(product, language);
    await page
      .locator(`ul[aria-label] li a[href*="${template._id}"]`)
      .first()
      .click();
    await page.locator("[data-drawn]").first().waitFor();
    await look("preview");
    await page.locator("main header a").last().click();
    const fields = page.locator("textarea:not([aria-hidden])");
    await fields.first().waitFor();
    await submit();
    await page.getByRole("dialog").waitFor();
    await look("form-empty");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await fields.first().fill("x");
    await page.locator("[data-drawn]").first().waitFor();
    await look("form");
    await submit();
    await waitForResult(page);
    await look("result");
    await press(text.result.save);
    await page.getByRole("dialog").waitFor();
    await look("login-required");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const invoices = {
      en: "en-invoice",
      fr: "fr-attestation-de-travail",
      ar: "ar-tax-invoice",
    };
    await open(
      `/user-home/form-document?document=${invoices[language]}`,
      "[data-drawn]",
    );
    await look("form-kinds");
    await page.locator("form [aria-haspopup=dialog]").first().click();
    await page.getByRole("grid").waitFor();
    await look("calendar");
    await page.keyboard.press("Escape");
    // Earlier answers are offered and listed. They are taken over from the storage of an earlier version.
    await page.evaluate(() =>
      localStorage.setItem(
        "knownAnswers",
        JSON.stringify({
          on: true,
          answers: [
            { meaning: "organization", value: "Lac SARL", parties: [] },
            { meaning: "name", value: "أمينة بن صالح", parties: ["seller"] },
            { meaning: "name", value: "Amina Ben Salah", parties: [] },
            { meaning: "street-address", value: "5, rue\nTunis", parties: [] },
          ],
        }),
      ),
    );
    await page.reload();
    await fields.first().waitFor();
    const known = page.locator("textarea[aria-autocomplete=list]").first();
    await known.focus();
    await page.getByRole("option").first().waitFor();
    await look("answers-offered");
    await open("/user-home/user-answers", "main dl");
    await look("answers");
    await deleteEntries(page, "answers");
    await open("/user-home/document/none", "h1");
    await look("document-missing");
    await open("/user-home/help-center", "textarea[name=message]");
    await look("help");
    await submit();
    await page.locator("[aria-invalid=true]").first().waitFor();
    await look("help-wrong");
    await open("/no/such/page", "h1");
    await look("not-found");

    await open("/login", "[name=email]");
    await submit();
    await page.getByRole("alert").waitFor();
    await look("login");
    await open("/register", "[name=userName]");
    await page.locator("[name=password]").fill("abc");
    await submit();
    await page.getByRole("alert").waitFor();
    await look("register");
    await open("/forgot-password", "[name=email]");
    // A new address, because mails to one address are limited.
    await page.locator("[name=email]").fill(createPerson().email);
    await look("forgot");
    await submit();
    await page.getByText(text.forgotPage.sentHint).waitFor();
    await look("forgot-sent");
    await open(
      "/reset-password#token=AAAAAAAAAAAAAAAAAAAAAA",
      "[name=newPassword]",
    );
    await page.locator("[name=newPassword]").fill("abc");
    await submit();
    await look("reset");
    await open("/reset-password?", "[role=alert]");
    await look("reset-none");
    await open("/terms", "section section h2");
    await look("terms");
    await open("/privacy", "section section h2");
    await look("privacy");
    const { userId } = (
      await callApi(product, "POST", "/auth/register", { ...createPerson() })
    ).body;
    await page.evaluate(
      (id) => localStorage.setItem("userId", id ?? ""),
      userId,
    );
    await open("/otp-verification", "[role=group] input");
    await submit();
    await page.getByRole("alert").waitFor();
    await look("otp");

    const person = await createAccount(product, undefined, language);
    await logIn(product, page, person);
    await open("/user-home/user-documents", "main h2");
    await look("my-documents-empty");
    await open("/my-templates", "main h2");
    await look("my-templates-empty");
    await open("/my-templates/create", "#template-file");
    await look("my-template-create");
    const kept = await saveDocument(
      product,
      person.token,
      template,
      text.language,
    );
    await saveDocument(product, person.token, template, text.country);
    await open("/user-home/user-documents", "ul[aria-label] li img");
    await look("my-documents");
    await page
      .getByRole("button", { name: text.saved.more.split("{{")[0] ?? "" })
      .first()
      .click();
    await page.getByRole("menuitem").first().waitFor();
    await look("my-documents-menu");
    await page.keyboard.press("Escape");
    await open(`/user-home/user-documents/${kept._id}`, "[data-drawn]");
    await look("saved");
    await open("/user-home/user-documents/none", "h1");
    await look("saved-missing");
    await open(`/user-home/form-document?saved=${kept._id}`, "[data-drawn]");
    await fields.first().fill("x");
    await look("edit");
    await submit();
    await waitForResult(page);
    await look("edit-result");
    // The document was saved elsewhere meanwhile: the form says so. After the attempt to save it the notice
    // above the page says so too.
    await saveDocument(product, person.token, template, "y", undefined, kept);
    await open(`/user-home/form-document?saved=${kept._id}`, "[data-drawn]");
    await look("edit-stale");
    await submit();
    await waitForResult(page);
    await press(text.result.save);
    await page.getByRole("list", { name: text.saved.waiting }).waitFor();
    await look("changed-elsewhere");
    await press(text.saved.openNewer);
    await page.waitForURL("**/user-documents/*");
    await open("/user-home/user-account-setting", "[name=userName]");
    await look("account");
    await press(text.ownData.deleteButton);
    await page.getByRole("dialog").locator("[name=password]").waitFor();
    await page.getByRole("dialog").locator("button[type=submit]").click();
    await page.getByText(text.ownData.passwordRequired).waitFor();
    await look("account-deletion");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("[name=newPassword]").fill("abc");
    await press(text.accountPage.savePassword);
    await look("account-wrong");
    await page.locator("header a").first().click();
    await page.getByRole("dialog", { name: text.leaving.title }).waitFor();
    await look("leaving");
    await page.keyboard.press("Escape");
    await callApi(
      product,
      "POST",
      "/auth/change-password",
      { oldPassword: person.password, newPassword: "Elsewhere-changed-1" },
      person.token,
    );
    await page.reload();
    await page.getByRole("dialog").locator("[name=password]").waitFor();
    await look("session-ended");
    // Expected console errors: 401 for a refused session, 404 for a missing document, 409 for one that was
    // changed elsewhere.
    expect(failures.filter((said) => !/status of 40[149]/.test(said))).toEqual(
      [],
    );
    await context.close();

    const admin = await openWindow(product, language, dark);
    await admin.page.setViewportSize({ width, height });
    await admin.page.goto(`${product.address}/documents/create`);
    await fillLogin(admin.page, product.admin);
    await admin.page.locator("main button[type=submit]").click();
    await admin.page.locator("#template-file").waitFor();
    // The admin's account may have any language from the earlier tests.
    await admin.page.locator("header input[aria-label]").last().click();
    await admin.page
      .getByRole("option")
      .nth(["en", "fr", "ar"].indexOf(language))
      .click();
    await expect
      .poll(() => admin.page.getAttribute("html", "lang"))
      .toBe(language);
    await admin.page.locator("main button[type=submit]").click();
    await admin.page.getByRole("alert").waitFor();
    await look("publish", admin.page);
    await callApi(
      product,
      "POST",
      "/support-messages",
      { email: person.email, message: text.country },
      undefined,
      language,
    );
    const adminOpens = async (path: string, there: string) => {
      await admin.page.goto(product.address + path);
      await admin.page.locator(there).first().waitFor();
    };
    const adminPresses = (name: string) =>
      admin.page.getByRole("button", { name, exact: true }).click();
    const rehearsed = writeDocx(
      product,
      `walk-${language}-${String(dark)}-${width}`,
      ["{{a}} ${b}", "{{c}} and {{d}}"],
      language,
    );
    await admin.page.locator("input[type=file]").setInputFiles(rehearsed);
    await admin.page.locator("[data-drawn]").first().waitFor();
    await look("rehearsal", admin.page);
    await admin.page
      .getByRole("region", { name: text.fieldEditor.title })
      .locator("summary")
      .first()
      .click();
    await admin.page
      .getByRole("textbox", { name: text.fieldEditor.example })
      .fill("x");
    await look("field-editor", admin.page);
    await admin.page
      .locator("input[type=file]")
      .setInputFiles(
        writeDocx(product, `wrong-${language}-${String(dark)}-${width}`, [
          "{{a|b}} {{",
        ]),
      );
    await admin.page.locator("[data-severity=error]").first().waitFor();
    await look("rehearsal-wrong", admin.page);
    await adminOpens("/documents", "ul[aria-label] li img");
    await look("templates", admin.page);
    await adminPresses(text.templates.filter);
    await admin.page.getByRole("dialog").waitFor();
    await look("templates-filter", admin.page);
    await admin.page.keyboard.press("Escape");
    await adminPresses(text.templates.sort);
    await admin.page.getByRole("dialog").waitFor();
    await look("templates-sort", admin.page);
    await adminOpens("/documents?title=zzzz", "main h2");
    await look("templates-none", admin.page);
    await adminOpens("/documents/categories", "main ul li h2");
    await look("template-categories", admin.page);
    await admin.page.locator("main ul li button").first().click();
    await admin.page.getByRole("dialog").locator("input").first().waitFor();
    await look("category-names", admin.page);
    await admin.page.keyboard.press("Escape");
    await admin.page.locator("main summary").click();
    await admin.page.locator("main details[open] p").first().waitFor();
    await look("category-history", admin.page);
    await adminOpens(`/documents/${template._id}/view`, "[data-drawn]");
    await look("template", admin.page);
    for (const title of [text.templates.versions, text.templates.history])
      await admin.page.getByRole("heading", { name: title }).click();
    await admin.page.locator("details[open] ol time").first().waitFor();
    await admin.page
      .getByText(text.templates.current, { exact: true })
      .first()
      .waitFor();
    await look("template-history", admin.page);
    await admin.page
      .getByRole("link", { name: text.templates.edit, exact: true })
      .click();
    await admin.page.locator("[data-drawn]").first().waitFor();
    await look("template-edit", admin.page);
    await adminOpens(
      `/documents/form-document?document=${template._id}`,
      "[data-drawn]",
    );
    await look("trial", admin.page);
    await admin.page.locator("main button[type=submit]").click();
    await admin.page.waitForURL("**/document-result**");
    await admin.page.locator("[data-drawn]").first().waitFor();
    await look("trial-result", admin.page);
    await adminOpens("/", ".recharts-line path");
    await admin.page.locator("summary").first().click();
    await look("dashboard", admin.page);
    await adminOpens("/users", "tbody tr");
    await look("users", admin.page);
    await admin.page.locator("tbody button").first().click();
    await admin.page.getByRole("dialog").locator("time").first().waitFor();
    await look("users-history", admin.page);
    await admin.page.keyboard.press("Escape");
    await admin.page.locator("tbody button + button").first().click();
    await admin.page.getByRole("dialog").getByRole("button").nth(1).waitFor();
    await look("users-delete", admin.page);
    await adminOpens("/users?userName=zzzz", "main h2");
    await look("users-none", admin.page);
    await adminOpens("/messages", "article");
    await admin.page.locator("article button").first().click();
    await admin.page.locator("article button[type=submit]").click();
    await admin.page.locator("[aria-invalid=true]").waitFor();
    await look("messages", admin.page);
    await adminOpens("/messages?status=closed", "main h2");
    await look("messages-closed", admin.page);
    expect(admin.failures).toEqual([]);
    await admin.context.close();
  });
});
