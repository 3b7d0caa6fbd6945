// Template management by an admin: finding, editing, previewing, deactivating and reactivating templates.
import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { storedEntries } from "./device.ts";
import {
  createAccount,
  callApi,
  fillLogin,
  logIn,
  clickAndWaitForText,
  interfaceTexts,
} from "./people.ts";
import {
  takeScreenshot,
  startProduct,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";
import { saveDocument, textTemplate, type Template } from "./saved.ts";
import { writeDocx } from "./word.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const cards = (page: Page) => page.locator("ul[aria-label] > li:has(h2)");
const link = (page: Page, name: string) =>
  page.getByRole("link", { name, exact: true });
const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
const submit = (page: Page) => page.locator("main button[type=submit]").click();
const titleOf = (page: Page) => page.locator("input[name=title]");

/** Opens a page of the admin area through the login. */
async function open(page: Page, path = "/documents"): Promise<void> {
  await page.goto(product.address + path);
  await page.waitForURL("**/login");
  await fillLogin(page, product.admin);
  await submit(page);
  await page.waitForURL(`**${path}`);
}

async function adminToken(): Promise<string> {
  const answer = await callApi(product, "POST", "/auth/login", product.admin);
  return answer.body.token ?? "";
}

/** Returns a template as stored on the server. */
async function fetchTemplate(id: string): Promise<Record<string, unknown>> {
  const token = await adminToken();
  const path = `/documents/${id}`;
  const answer = await callApi(product, "GET", path, undefined, token);
  return (answer.body as unknown as { document: Record<string, unknown> })
    .document;
}

describe.each<Language>(["en", "fr", "ar"])("an admin (%s)", (language) => {
  const text = interfaceTexts(language);

  it("edits a template, tries it out, deletes it and brings it back", async () => {
    const { context, page, failures } = await openWindow(product, language);
    await open(page);
    await cards(page).first().locator("img").waitFor();
    const menu = page.getByRole("navigation", { name: text.mainNavigation });
    const entry = menu.getByRole("link", { name: text.documents });
    expect(await entry.getAttribute("aria-current")).toBe("page");
    expect(await menu.getByText(text.saved.title).count()).toBe(0);
    await takeScreenshot(page, `admin-documents-${language}`);

    // At most one panel is open at a time, and each choice applies at once.
    await button(page, text.templates.filter).click();
    const panel = page.getByRole("dialog");
    await panel.getByText(text.catalogue.categories).waitFor();
    await takeScreenshot(page, `admin-filters-${language}`);
    await button(page, text.templates.sort).click();
    await panel.getByText(text.catalogue.oldest).waitFor();
    expect(await panel.count()).toBe(1);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    // An arrow key chooses the next language at once and keeps the panel for the one after it.
    await button(page, text.templates.filter).click();
    await panel.locator("input[type=radio][value='']").focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL("**?lang=*");
    const firstChoice = page.url();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL((url) => url.href !== firstChoice);
    expect(await panel.count()).toBe(1);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.goto(`${product.address}/documents?lang=${language}`);
    await cards(page).first().waitFor();

    const template = await textTemplate(product, language);
    const name = `${template.title} ${language}`;
    await cards(page)
      .filter({ hasText: template.title })
      .getByRole("link", { name: text.templates.view })
      .last()
      .click();
    await page.waitForURL("**/view");
    await page.locator("[data-drawn]").first().waitFor();
    await takeScreenshot(page, `admin-view-${language}`);
    await link(page, text.templates.edit).click();
    await page.waitForURL(`**/documents/create?edit=${template._id}`);
    await expect.poll(() => titleOf(page).inputValue()).toBe(template.title);
    await titleOf(page).fill(name);
    await takeScreenshot(page, `admin-edit-${language}`);
    await clickAndWaitForText(
      page,
      () => button(page, text.publish.save).click(),
      text.publish.updated,
    );
    await page.waitForURL("**/documents");
    expect((await fetchTemplate(template._id))["title"]).toBe(name);
    // The URL names the edit. Without it, the page creates a new template, also beside an open edit.
    const other = await context.newPage();
    await other.goto(
      `${product.address}/documents/create?edit=${template._id}`,
    );
    await expect.poll(() => titleOf(other).inputValue()).toBe(name);
    await page.goto(`${product.address}/documents/create`);
    await titleOf(page).waitFor();
    expect(await titleOf(page).inputValue()).toBe("");
    await other.reload();
    await expect.poll(() => titleOf(other).inputValue()).toBe(name);
    await other.close();

    await page.goto(`${product.address}/documents/${template._id}/view`);
    await page.getByRole("link", { name: text.templates.tryOut }).click();
    const first = page.locator("textarea:not([aria-hidden])").first();
    await first.fill("Trial value");
    await submit(page);
    await page.waitForURL("**/documents/document-result**");
    await page.getByText("Trial value").first().waitFor();
    expect(await button(page, text.result.save).count()).toBe(0);
    await takeScreenshot(page, `admin-trial-${language}`);
    await button(page, text.cancel).click();
    await page.waitForURL("**/view");
    expect((await fetchTemplate(template._id))["usageCount"]).toBe(0);

    await button(page, text.templates.delete).click();
    await page.waitForURL("**/documents");
    await page.getByText(text.templates.documentDeleted).waitFor();
    await cards(page)
      .filter({ hasText: name })
      .getByText(text.templates.inactiveMark)
      .waitFor();
    await takeScreenshot(page, `admin-deleted-${language}`);
    await clickAndWaitForText(
      page,
      () => button(page, text.undo).click(),
      text.templates.documentActivated,
    );
    await cards(page)
      .filter({ hasText: name })
      .getByText(text.templates.inactiveMark)
      .waitFor({ state: "detached" });
    expect(failures).toEqual([]);
    await context.close();
  });
});

describe("the list of documents", () => {
  it("has pages of twelve, a status filter, and a reset", async () => {
    const text = interfaceTexts("en");
    const { context, page } = await openWindow(product, "en");
    await open(page);
    await cards(page).nth(11).waitFor();
    expect(await cards(page).count()).toBe(12);
    // Three cards are in a row.
    const tops = await cards(page).evaluateAll((all) =>
      all.map((card) => Math.round(card.getBoundingClientRect().top)),
    );
    expect(tops.filter((top) => top === tops[0]).length).toBe(3);
    const previous = button(page, text.pagination.previous);
    expect(await previous.isDisabled()).toBe(true);
    const next = button(page, text.pagination.next);
    // While cards are loading, the button for the next page stays enabled.
    await expect
      .poll(async () => {
        if (await next.isEnabled())
          await next.click({ timeout: 1_000 }).catch(() => undefined);
        return next.isDisabled();
      })
      .toBe(true);
    expect(await previous.isEnabled()).toBe(true);

    const [{ _id: id }] = [await textTemplate(product, "fr")];
    const token = await adminToken();
    await callApi(product, "PATCH", `/documents/${id}/deactivate`, {}, token);
    await button(page, text.templates.filter).click();
    const panel = page.getByRole("dialog");
    const height = await panel
      .locator("input[type=checkbox]")
      .first()
      .evaluate((box) => {
        const region = box.closest("[class*=categories]") as HTMLElement;
        return [getComputedStyle(region).maxHeight, `${innerHeight / 5}px`];
      });
    expect(height[0]).toBe(height[1]);
    await panel.getByLabel(text.templates.inactiveStatus).click();
    await panel.waitFor({ state: "detached" });
    await expect.poll(() => cards(page).count()).toBe(1);
    await button(page, text.templates.filter).click();
    // A click outside the panel closes it and changes nothing.
    await page.locator("[data-backdrop]").click({ position: { x: 5, y: 5 } });
    await panel.waitFor({ state: "detached" });
    await page.waitForURL("**?status=inactive");
    await button(page, text.templates.filter).click();
    await panel.getByRole("button", { name: text.templates.reset }).click();
    await page.waitForURL("**/documents");
    await expect.poll(() => cards(page).count()).toBe(12);

    // Its view can activate the template again.
    await page.goto(`${product.address}/documents/${id}/view`);
    await clickAndWaitForText(
      page,
      () => button(page, text.templates.activate).click(),
      text.templates.documentActivated,
    );
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      button(page, text.templates.viewPdf).click(),
    ]);
    expect(tab.url()).toMatch(/^blob:|^about:blank/);
    await context.close();
  });
});

describe("an edit", () => {
  it("with a file is a new version; saved documents keep theirs, and open though the template is out of the catalogue", async () => {
    const text = interfaceTexts("ar");
    const template = await textTemplate(product, "ar");
    const person = await createAccount(product, undefined, "ar");
    const mine = await saveDocument(product, person.token, template, "قيمة");
    const { context, page } = await openWindow(product, "ar");
    await open(page, `/documents/${template._id}/view`);
    await page.locator("[data-drawn]").first().waitFor();
    await link(page, text.templates.edit).click();
    await page.locator("[data-drawn]").first().waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles(
        writeDocx(
          product,
          "second",
          ["السيد {{الاسم}}،", "من {{المدينة}}"],
          "ar-TN",
        ),
      );
    await page.getByText(text.publish.trialHint).waitFor();
    await takeScreenshot(page, "admin-edit-file-ar");
    await clickAndWaitForText(
      page,
      () => button(page, text.publish.save).click(),
      text.publish.updated,
    );
    await page.waitForURL("**/documents");
    const after = await fetchTemplate(template._id);
    expect([after["templateVersion"], after["fields"]]).toEqual([
      2,
      ["الاسم", "المدينة"],
    ]);
    const token = await adminToken();
    const path = `/documents/${template._id}/deactivate`;
    expect((await callApi(product, "PATCH", path, {}, token)).status).toBe(200);
    await context.close();

    const reader = await openWindow(product, "ar");
    await logIn(product, reader.page, person);
    await reader.page.goto(
      `${product.address}/user-home/user-documents/${mine._id}`,
    );
    await reader.page.locator("[data-drawn]").first().waitFor();
    await reader.page.goto(
      `${product.address}/user-home/form-document?saved=${mine._id}`,
    );
    const fields = reader.page.locator("textarea:not([aria-hidden])");
    await fields.first().waitFor();
    expect(await fields.first().inputValue()).toBe("قيمة 1");
    await reader.context.close();
    await callApi(
      product,
      "PATCH",
      `/documents/${template._id}/activate`,
      {},
      token,
    );
  });

  it("that comes second is told, and loses nothing", async () => {
    const text = interfaceTexts("en");
    const template: Template = await textTemplate(product, "en");
    const { context, page } = await openWindow(product, "en");
    const edit = async () => {
      await page.goto(`${product.address}/documents/${template._id}/view`);
      await page.locator("[data-drawn]").first().waitFor();
      await link(page, text.templates.edit).click();
      await titleOf(page).waitFor();
    };
    /** Another admin changes the title. */
    const meanwhile = async (title: string) => {
      const form = new FormData();
      form.set("title", title);
      const answer = await fetch(
        `${product.address}/api/v1/documents/${template._id}`,
        {
          method: "PATCH",
          headers: { authorization: `Bearer ${await adminToken()}` },
          body: form,
        },
      );
      expect(answer.status).toBe(200);
    };
    await open(page);
    await edit();
    await titleOf(page).fill("Mine");
    await meanwhile("Theirs");
    await button(page, text.publish.save).click();
    const notice = page.getByRole("alert", {
      name: text.publish.changedElsewhere,
    });
    await notice.getByText("Theirs").waitFor();
    await takeScreenshot(page, "admin-conflict-en");
    expect(await titleOf(page).inputValue()).toBe("Mine");
    await notice.getByRole("button", { name: text.publish.takeTheirs }).click();
    await expect.poll(() => titleOf(page).inputValue()).toBe("Theirs");

    await titleOf(page).fill("Mine again");
    await meanwhile("Theirs again");
    await button(page, text.publish.save).click();
    await notice.getByText("Theirs again").waitFor();
    await clickAndWaitForText(
      page,
      () =>
        notice.getByRole("button", { name: text.publish.saveMerged }).click(),
      text.publish.updated,
    );
    expect((await fetchTemplate(template._id))["title"]).toBe("Mine again");

    // A hint that the other admin has set is named, and it is not erased by this edit.
    const [field = ""] = template.fields;
    const help = async () =>
      (
        (await (
          await fetch(`${product.address}/api/v1/documents/${template._id}`)
        ).json()) as { fieldHelp: { field: string; hint?: string }[] }
      ).fieldHelp.find((one) => one.field === field)?.hint;
    await edit();
    await titleOf(page).fill("Mine with a hint");
    const form = new FormData();
    form.set(
      "fieldHelp",
      JSON.stringify([{ field, hint: "The hint of the other admin" }]),
    );
    const told = await fetch(
      `${product.address}/api/v1/documents/${template._id}`,
      {
        method: "PATCH",
        headers: { authorization: `Bearer ${await adminToken()}` },
        body: form,
      },
    );
    expect(told.status).toBe(200);
    await page
      .locator("details summary")
      .filter({ hasText: field })
      .first()
      .click();
    await page.getByLabel(text.fieldEditor.example).first().fill("My example");
    await button(page, text.publish.save).click();
    await notice
      .getByRole("radiogroup", { name: text.fieldEditor.hint })
      .getByText("The hint of the other admin")
      .waitFor();
    await takeScreenshot(page, "admin-conflict-hint-en");
    await clickAndWaitForText(
      page,
      () =>
        notice.getByRole("button", { name: text.publish.saveMerged }).click(),
      text.publish.updated,
    );
    expect((await fetchTemplate(template._id))["title"]).toBe(
      "Mine with a hint",
    );
    expect(await help()).toBe("The hint of the other admin");

    // Leaving with unsaved changes asks for confirmation.
    await edit();
    await titleOf(page).fill("Not saved");
    await page.getByRole("link", { name: text.documents }).click();
    await page
      .getByRole("dialog", { name: text.leaving.title })
      .getByRole("button", { name: text.leaving.leave })
      .click();
    await page.waitForURL("**/documents");
    expect((await fetchTemplate(template._id))["title"]).toBe(
      "Mine with a hint",
    );
    await context.close();
  });
});

describe("a field that is renamed by an edit", () => {
  it("takes the saved values with it; versions are compared and restored, and the history says so", async () => {
    const text = interfaceTexts("fr");
    const token = await adminToken();
    const form = new FormData();
    form.set("title", "Lettre des versions");
    const first = writeDocx(product, "first", ["Cher {{Nom}},", "le {{Date}}"]);
    form.set("file", new Blob([readFileSync(first)]), "first.docx");
    const made = await fetch(`${product.address}/api/v1/documents/file`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    const template = ((await made.json()) as { document: Template }).document;
    const person = await createAccount(product, undefined, "fr");
    const mine = await saveDocument(product, person.token, template, "Valeur");

    const { context, page, failures } = await openWindow(product, "fr");
    await open(page, `/documents/${template._id}/view`);
    await page.locator("[data-drawn]").first().waitFor();
    await link(page, text.templates.edit).click();
    await page
      .locator("input[type=file]")
      .setInputFiles(
        writeDocx(product, "renamed", ["Cher {{Client}},", "à {{Ville}}"]),
      );
    const renaming = page.getByRole("region", { name: text.publish.renaming });
    await renaming.locator("input").first().click();
    await page.getByRole("option", { name: "Client" }).click();
    await takeScreenshot(page, "admin-renaming-fr");
    await clickAndWaitForText(
      page,
      () => button(page, text.publish.save).click(),
      text.publish.updated,
    );
    await page.waitForURL("**/documents");

    // A user who moves the document to the new version finds their value under the new name.
    const reader = await openWindow(product, "fr");
    await logIn(product, reader.page, person);
    await reader.page.goto(
      `${product.address}/user-home/form-document?saved=${mine._id}`,
    );
    await reader.page
      .getByText(text.form.renamed_one.replace("{{count, number}}", "1"))
      .waitFor();
    await button(reader.page, text.form.takeVersion).click();
    const fields = reader.page.locator("textarea:not([aria-hidden])");
    await reader.page.getByLabel("Client", { exact: true }).waitFor();
    expect(await fields.first().inputValue()).toBe("Valeur 1");
    await takeScreenshot(reader.page, "renamed-newer-fr");
    await reader.context.close();

    await page.goto(`${product.address}/documents/${template._id}/view`);
    await page
      .getByRole("heading", { name: text.templates.versions, exact: true })
      .click();
    const changes = page.getByText(text.templates.fieldRenamed).first();
    await changes.waitFor();
    await page.getByText(text.templates.fieldDropped).first().waitFor();
    await takeScreenshot(page, "admin-versions-fr");
    await page.getByRole("button", { name: /1$/ }).click();
    await clickAndWaitForText(
      page,
      () =>
        page
          .getByRole("dialog")
          .getByRole("button", { name: text.templates.restore })
          .click(),
      text.templates.versionRestored.replace("{{version, number}}", "1"),
    );
    await expect
      .poll(async () => (await fetchTemplate(template._id))["templateVersion"])
      .toBe(3);
    expect((await fetchTemplate(template._id))["fields"]).toEqual([
      "Nom",
      "Date",
    ]);
    await page.getByRole("heading", { name: text.templates.history }).click();
    for (const said of [text.templates.published, text.templates.edited])
      await page.getByText(said, { exact: true }).first().waitFor();
    await page.locator("details[open] ol time").first().waitFor();
    await takeScreenshot(page, "admin-history-fr");
    expect(failures).toEqual([]);
    await context.close();
  });
});

describe("a template before it is published", () => {
  it("is seen with its pages, its fields and its language, tried out, and kept as a draft", async () => {
    const text = interfaceTexts("fr");
    const { context, page } = await openWindow(product, "fr");
    await open(page, "/documents/create");
    await page
      .locator("input[type=file]")
      .setInputFiles(
        writeDocx(
          product,
          "lettre_du_port",
          ["Cher {{Nom}},", "à {{Ville}}"],
          "fr-FR",
        ),
      );
    await page.locator("[data-drawn]").first().waitFor();
    expect(await titleOf(page).inputValue()).toBe("lettre du port");
    await page.getByText(text.publish.languageRead).waitFor();
    await page.getByLabel("Nom", { exact: true }).fill("Élise");
    await page.getByText("Cher Élise").first().waitFor();
    await takeScreenshot(page, "admin-rehearsal-fr");
    // Field settings, title and file are kept over a reload, and over a question before another page.
    await page.locator("details summary").filter({ hasText: "Ville" }).click();
    await page.getByLabel(text.fieldEditor.hint).fill("La ville du port");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.locator("[data-drawn]").first().waitFor();
    expect(await titleOf(page).inputValue()).toBe("lettre du port");
    await page.locator("details summary").filter({ hasText: "Ville" }).click();
    expect(await page.getByLabel(text.fieldEditor.hint).inputValue()).toBe(
      "La ville du port",
    );
    await link(page, text.documents).click();
    const question = page.getByRole("dialog", {
      name: text.publish.leaveTitle,
    });
    await takeScreenshot(page, "admin-leave-draft-fr");
    await question.getByRole("button", { name: text.leaving.stay }).click();
    await question.waitFor({ state: "detached" });
    expect(await titleOf(page).inputValue()).toBe("lettre du port");
    await link(page, text.documents).click();
    await question.getByRole("button", { name: text.publish.leave }).click();
    await page.waitForURL("**/documents");
    await link(page, text.createDocument).click();
    expect(await titleOf(page).inputValue()).toBe("");
    await takeScreenshot(page, "admin-unfinished-fr");
    await link(page, text.publish.continueDraft).click();
    await page.locator("[data-drawn]").first().waitFor();
    expect(await titleOf(page).inputValue()).toBe("lettre du port");

    // The form says that the template has no fields, and allows publishing it.
    await page
      .locator("input[type=file]")
      .setInputFiles(
        writeDocx(product, "avis", ["Fermé le vendredi."], "fr-FR"),
      );
    await page.getByText(text.publish.noFields).waitFor();
    await titleOf(page).fill("Avis de fermeture");
    await clickAndWaitForText(
      page,
      () => button(page, text.publish.confirm).click(),
      text.publish.created,
    );
    await page.waitForURL("**/documents");
    await page.getByText("Avis de fermeture").waitFor();
    expect(await storedEntries(page, "template")).toEqual([]);
    expect(await storedEntries(page, "file")).toEqual([]);
    await context.close();
  });
});

it("a category has a name in each language, and two can be made one", async () => {
  const text = interfaceTexts("ar");
  const { context, page, failures } = await openWindow(product, "ar");
  await open(page, "/documents");
  await page.getByRole("link", { name: text.templates.categories }).click();
  const row = (name: string) =>
    page.locator("main ul li").filter({ hasText: name });
  await row("القانون").or(row("قانوني")).first().waitFor();
  await button(
    page,
    text.templates.renameOf.replace("{{category}}", "قانوني"),
  ).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("العربية").fill("الشؤون القانونية");
  await dialog.getByLabel("Français").fill("Logement");
  await dialog.getByRole("button", { name: text.templates.saveNames }).click();
  // Another category has this name: the dialog shows the error, and nothing changes.
  await dialog.getByText(text.errors.category_name_taken).waitFor();
  await takeScreenshot(page, "admin-category-taken-ar");
  await dialog.getByLabel("Français").fill("Droit");
  await clickAndWaitForText(
    page,
    () =>
      dialog.getByRole("button", { name: text.templates.saveNames }).click(),
    text.templates.renamed,
  );
  await row("الشؤون القانونية").getByText("Droit").waitFor();
  await button(
    page,
    text.templates.mergeOf.replace("{{category}}", "شخصي"),
  ).click();
  await dialog.locator("input").first().click();
  await page.getByRole("option", { name: "الشؤون القانونية" }).click();
  await takeScreenshot(page, "admin-category-merge-ar");
  await clickAndWaitForText(
    page,
    () => dialog.getByRole("button", { name: text.templates.merge }).click(),
    text.templates.mergedDone,
  );
  await row("الشؤون القانونية").getByText("personal").waitFor();
  // The cards show the merged category in place of the removed one.
  await page.goto(`${product.address}/documents?cat=personal`);
  await cards(page).first().getByText("الشؤون القانونية").waitFor();
  expect(await page.getByText("شخصي", { exact: true }).count()).toBe(0);
  // The merge can be undone, and the history lists it.
  await page.goto(`${product.address}/documents/categories`);
  await clickAndWaitForText(
    page,
    () =>
      button(
        page,
        text.templates.separateOf.replace("{{category}}", "personal"),
      ).click(),
    text.templates.separated,
  );
  await row("شخصي").first().waitFor();
  await page.getByText(text.templates.history, { exact: true }).click();
  const entries = page.locator("details[open] ol > li");
  await expect.poll(() => entries.count()).toBe(3);
  expect(await entries.last().innerText()).toContain("الشؤون القانونية");
  await takeScreenshot(page, "admin-category-history-ar");
  // A refused name logs a 409 on the console.
  expect(failures.filter((said) => !said.includes("409"))).toEqual([]);
  await context.close();
});

it("to a user the admin's addresses are not there", async () => {
  const text = interfaceTexts("en");
  const person = await createAccount(product);
  const { context, page } = await openWindow(product, "en");
  await logIn(product, page, person);
  const template = await textTemplate(product, "en");
  for (const path of [
    "/documents",
    "/documents/create",
    `/documents/${template._id}/view`,
    `/documents/form-document?document=${template._id}`,
    `/documents/document-result?document=${template._id}`,
  ]) {
    await page.goto(product.address + path);
    await page.getByRole("heading", { name: text.notFound.title }).waitFor();
  }
  await context.close();
});
