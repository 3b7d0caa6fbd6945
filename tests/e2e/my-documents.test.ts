// Tests of saved documents: saving, finding, editing, copying and deleting them. A lost network, a second tab
// or another person's edit must not lose data.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { NATIVE_NAMES } from "../../frontend/src/shared/i18n/language.ts";
import { storedEntries } from "./device.ts";
import {
  createAccount,
  callApi,
  codeInMail,
  logIn,
  waitForMail,
  clickAndWaitForText,
  createPerson,
  typeCode,
  interfaceTexts,
} from "./people.ts";
import {
  waitForResult,
  takeScreenshot,
  downloadBy,
  startProduct,
  textOfPdf,
  openWindow,
  type Language,
  type Product,
} from "./product.ts";
import {
  saveDocument,
  savedDocumentsOf,
  textTemplate,
  useCount,
  savedValues,
} from "./saved.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const LANGUAGES: Language[] = ["en", "fr", "ar"];
const NAMES: Record<Language, string> = {
  en: "Harbour Lane 41",
  fr: "Élise Cœur 52",
  ar: "شارع الميناء 63",
};
const savedDocumentsUrl = () => `${product.address}/user-home/user-documents`;
const cards = (page: Page) => page.locator("ul[aria-label] > li:has(h2)");
const fields = (page: Page) => page.locator("form [data-input]");
const submit = (page: Page) => page.locator("main button[type=submit]").click();
const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
/** The list of saves that have not succeeded yet. */
const notice = (page: Page, language: Language = "en") =>
  page.getByRole("list", { name: interfaceTexts(language).saved.waiting });
const tokenOf = (page: Page) =>
  page.evaluate(
    () => sessionStorage.getItem("token") ?? localStorage.getItem("token"),
  );

/** Goes from the catalogue to the finished pages. The first field has the value. */
async function fillIn(page: Page, language: Language, value: string) {
  await page.goto(
    `${product.address}/user-home/user-all-documents?lang=${language}`,
  );
  await page.locator("ul[aria-label] li h2 a").first().click();
  await page
    .getByRole("link", {
      name: interfaceTexts(language).preview.generate,
      exact: true,
    })
    .click();
  await fields(page).first().fill(value);
  await submit(page);
  await waitForResult(page);
}

/** Creates a person with saved documents and opens a window for them. */
async function openWithDocuments(language: Language = "en", documents = 1) {
  const person = await createAccount(product, createPerson(), language);
  const template = await textTemplate(product, language);
  const kept = [];
  for (let index = 0; index < documents; index += 1)
    kept.push(
      await saveDocument(product, person.token, template, NAMES[language]),
    );
  const { context, page, failures } = await openWindow(product, language);
  await logIn(product, page, person, true);
  const [document] = kept;
  return { person, template, document, context, page, failures };
}

/** Chooses an item of a card's menu. */
async function choose(
  page: Page,
  title: string,
  what: string,
  language: Language = "en",
) {
  await button(
    page,
    interfaceTexts(language).saved.more.replace("{{title}}", title),
  )
    .first()
    .click();
  await page.getByRole("menuitem", { name: what, exact: true }).click();
}

it.each(["en", "ar"] as const)(
  "the documents are also a table, which stays after a reload, in %s",
  async (language) => {
    const texts = interfaceTexts(language);
    const { document, context, page, failures } = await openWithDocuments(
      language,
      3,
    );
    await page.goto(savedDocumentsUrl());
    await cards(page).first().waitFor();
    const download = (title: string) =>
      button(page, texts.documentPages.downloadOf.replace("{{title}}", title));
    await takeScreenshot(page, `saved-cards-${language}`);
    const { name } = await downloadBy(context, page, () =>
      download(document?.title ?? "")
        .first()
        .click(),
    );
    expect(name).toMatch(/\.pdf$/);
    await button(page, texts.documentPages.showList).click();
    const rows = page.locator("main tbody tr");
    expect(await rows.count()).toBe(3);
    await page.reload();
    await rows.first().waitFor();
    expect(await cards(page).count()).toBe(0);
    await takeScreenshot(page, `saved-list-${language}`);
    await downloadBy(context, page, () =>
      download(document?.title ?? "")
        .last()
        .click(),
    );
    await button(page, texts.documentPages.showCards).click();
    await cards(page).first().waitFor();
    expect(failures).toEqual([]);
    await context.close();
  },
);

it.each(["en", "ar"] as const)(
  "a document is renamed, found by its content, deleted, and restored from the deleted ones, in %s",
  async (language) => {
    const texts = interfaceTexts(language);
    const words = texts.documentPages;
    const { document, context, page, failures } = await openWithDocuments(
      language,
      2,
    );
    await page.goto(savedDocumentsUrl());
    await cards(page).first().waitFor();
    // The name of a document, by keyboard.
    await choose(page, document?.title ?? "", words.rename, language);
    const dialog = page.getByRole("dialog", { name: words.renameTitle });
    const input = dialog.getByLabel(words.documentName);
    await input.waitFor();
    await expect
      .poll(() => input.evaluate((element) => element.matches(":focus")))
      .toBe(true);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Renamed 77");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const renamed = cards(page).filter({ hasText: "Renamed 77" });
    await renamed.waitFor();
    expect(await cards(page).count()).toBe(2);
    await takeScreenshot(page, `my-documents-renamed-${language}`);

    // A value of the document is searched, not only its name.
    await page.getByLabel(words.searchDocuments).fill(NAMES[language]);
    await expect.poll(() => cards(page).count()).toBe(2);
    await page.getByLabel(words.searchDocuments).fill("77 renamed");
    await expect.poll(() => cards(page).count()).toBe(1);

    await choose(page, "Renamed 77", texts.saved.delete, language);
    await page.getByText(texts.saved.noneFound).waitFor();
    await button(page, words.recentlyDeleted).click();
    const row = page.getByRole("row").filter({ hasText: "Renamed 77" });
    await row.waitFor();
    expect(new URL(page.url()).searchParams.get("deleted")).toBe("true");
    await takeScreenshot(page, `my-documents-deleted-${language}`);
    await button(
      page,
      words.restoreOf.replace("{{title}}", "Renamed 77"),
    ).click();
    await page.getByText(words.noneDeleted).waitFor();
    await button(page, words.toDocuments).click();
    await renamed.waitFor();
    expect(await cards(page).count()).toBe(2);
    expect(failures).toEqual([]);
    await context.close();
  },
);

describe.each(LANGUAGES)("a guest who saves, in %s", (language) => {
  const text = interfaceTexts(language);

  it("is asked to log in, registers, and finds the document saved", async () => {
    const person = createPerson();
    const { context, page, failures } = await openWindow(product, language);
    await fillIn(page, language, NAMES[language]);
    const dialog = page.getByRole("dialog", {
      name: text.result.requiredLogin,
    });
    await button(page, text.result.save).click();
    await dialog.getByText(text.result.loginRequiredMessage).waitFor();
    await takeScreenshot(page, `login-required-${language}`);
    await clickAndWaitForText(
      page,
      () => dialog.getByRole("button", { name: text.cancel }).click(),
      text.result.loginCancelled,
    );
    await dialog.waitFor({ state: "detached" });

    await button(page, text.result.save).click();
    await dialog.getByRole("button", { name: text.login }).click();
    await page.waitForURL("**/login");
    await page.getByRole("link", { name: text.register }).click();
    await page.locator("[name=userName]").fill(person.userName);
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await page.locator("[name=confirmation]").fill(person.password);
    await page.locator("[name=terms]").check();
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/otp-verification");
    const code = codeInMail(
      await waitForMail(product, person.email, "register-code"),
    );
    await clickAndWaitForText(
      page,
      () => typeCode(page, code),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-home/user-documents/*");
    await page.locator("[data-drawn]").first().waitFor();
    await takeScreenshot(page, `saved-view-${language}`);

    // The document is saved once with the entered values, and these are not offered for the next document.
    const token = (await tokenOf(page)) ?? "";
    const [kept, ...others] = await savedDocumentsOf(product, token);
    expect(others).toEqual([]);
    expect((await savedValues(product, token, kept?._id ?? ""))[0]).toBe(
      NAMES[language],
    );
    expect(await storedEntries(page, "draft")).toEqual([]);

    const entry = page
      .getByRole("navigation", { name: text.mainNavigation })
      .getByRole("link", { name: text.saved.title });
    await entry.click();
    await cards(page).first().locator("img").waitFor();
    expect(await entry.getAttribute("aria-current")).toBe("page");
    expect(await cards(page).count()).toBe(1);
    await page
      .getByText(language === "ar" ? text.saved.total_one : /\b1\b/)
      .first()
      .waitFor();
    await takeScreenshot(page, `my-documents-${language}`);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("who has an account logs in, and nothing is lost", async () => {
    const person = await createAccount(product, createPerson(), language);
    const { context, page } = await openWindow(product, language);
    await fillIn(page, language, NAMES[language]);
    const template = new URL(page.url()).searchParams.get("document") ?? "";
    const used = await useCount(product, template);
    await button(page, text.result.save).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: text.login })
      .click();
    await page.waitForURL("**/login");
    // A reload, because the application also starts again after Google's pages.
    await page.reload();
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await clickAndWaitForText(
      page,
      () => page.locator("button[type=submit]").click(),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-home/user-documents/*");
    const kept = await savedDocumentsOf(product, person.token);
    expect(kept).toHaveLength(1);
    // The guest's document counts as one use, although it is requested again after the login.
    expect(await useCount(product, template)).toBe(used);
    // One wish saves one document: neither going back nor opening the page again saves another.
    await page.goto(savedDocumentsUrl());
    await cards(page).first().waitFor();
    expect(await savedDocumentsOf(product, person.token)).toHaveLength(1);
    await context.close();
  });
});

describe.each(LANGUAGES)("a new document, in %s", (language) => {
  const text = interfaceTexts(language);

  it("is saved under the title that was entered, also after a login", async () => {
    const person = await createAccount(product, createPerson(), language);
    const { context, page, failures } = await openWindow(product, language);
    await fillIn(page, language, NAMES[language]);
    const title = page.getByRole("textbox", { name: text.result.saveAs });
    expect(await title.inputValue()).not.toBe("");
    await title.fill(NAMES[language]);
    await takeScreenshot(page, `result-title-${language}`);
    await button(page, text.result.save).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: text.login })
      .click();
    await page.waitForURL("**/login");
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/user-home/user-documents/*");
    await page.getByRole("heading", { name: NAMES[language] }).waitFor();
    const [kept] = await savedDocumentsOf(product, person.token);
    expect(kept?.title).toBe(NAMES[language]);
    // The time tells two documents of one day apart.
    await page.locator("main header", { hasText: /\d{2}:\d{2}/ }).waitFor();
    expect(failures).toEqual([]);
    await context.close();
  });

  it("that could not be created is created when the network is back", async () => {
    const { context, page } = await openWindow(product, language);
    const template = await textTemplate(product, language);
    await page.goto(
      `${product.address}/user-home/form-document?document=${template._id}`,
    );
    await fields(page).first().fill(NAMES[language]);
    // The finished pages are reached once, so that their part of the application is loaded.
    await submit(page);
    await waitForResult(page);
    await page.getByRole("link", { name: text.result.edit }).click();
    await fields(page).first().fill(NAMES[language].toUpperCase());
    await context.setOffline(true);
    await submit(page);
    await page.getByText(text.result.failed).waitFor();
    await takeScreenshot(page, `result-offline-${language}`);
    await context.setOffline(false);
    await waitForResult(page);
    await context.close();
  });

  it("that is entirely empty is created only after a question", async () => {
    const { context, page } = await openWindow(product, language);
    const template = await textTemplate(product, language);
    await page.goto(
      `${product.address}/user-home/form-document?document=${template._id}`,
    );
    await fields(page).first().waitFor();
    await submit(page);
    const dialog = page.getByRole("dialog", { name: text.form.emptyTitle });
    await dialog.getByRole("button", { name: text.form.emptyCancel }).click();
    await dialog.waitFor({ state: "detached" });
    await submit(page);
    await dialog.waitFor();
    await takeScreenshot(page, `form-empty-${language}`);
    await dialog.getByRole("button", { name: text.form.emptyConfirm }).click();
    await waitForResult(page);
    await context.close();
  });
});

describe.each(LANGUAGES)("an edit, in %s", (language) => {
  const text = interfaceTexts(language);

  it("is given up by Cancel, and saved by Save", async () => {
    const { person, document, context, page, failures } =
      await openWithDocuments(language);
    const id = document?._id ?? "";
    const before = await savedValues(product, person.token, id);
    const edit = async (value: string) => {
      await page.goto(savedDocumentsUrl());
      await cards(page)
        .first()
        .getByRole("link", { name: new RegExp(`^${text.saved.edit}`) })
        .click();
      await expect
        .poll(() => fields(page).first().inputValue())
        .toBe(before[0]);
      await fields(page).first().fill(value);
      await takeScreenshot(page, `edit-form-${language}`);
      await submit(page);
      await waitForResult(page);
    };

    await edit("given up");
    await takeScreenshot(page, `edit-result-${language}`);
    await clickAndWaitForText(
      page,
      () => button(page, text.cancel).click(),
      text.result.editDiscarded,
    );
    await page.waitForURL("**/user-home/user-documents");
    expect(await savedValues(product, person.token, id)).toEqual(before);

    await edit(NAMES[language].toUpperCase());
    await clickAndWaitForText(
      page,
      () => button(page, text.result.save).click(),
      text.saved.documentSaved,
    );
    await page.waitForURL(`**/user-documents/${id}`);
    await page.locator("[data-drawn]").first().waitFor();
    const [kept, ...others] = await savedDocumentsOf(product, person.token);
    expect(others).toEqual([]);
    expect(kept?.version).toBe(2);
    expect((await savedValues(product, person.token, id))[0]).toBe(
      NAMES[language].toUpperCase(),
    );
    expect(failures).toEqual([]);
    await context.close();
  });
});

describe.each(LANGUAGES)("the menu of a card, in %s", (language) => {
  const text = interfaceTexts(language);

  it("opens without moving its button", async () => {
    const { context, page } = await openWithDocuments(language);
    await page.goto(savedDocumentsUrl());
    const more = cards(page)
      .first()
      .getByRole("button", { name: text.saved.more.split("{{")[0] ?? "" });
    const before = await more.boundingBox();
    await more.click();
    await page.getByRole("menuitem").first().waitFor();
    expect(await more.boundingBox()).toEqual(before);
    await takeScreenshot(page, `my-documents-menu-${language}`);
    await context.close();
  });

  it("has toasts that cover no button of the document", async () => {
    const { document, context, page } = await openWithDocuments(language);
    await page.goto(`${savedDocumentsUrl()}/${document?._id}`);
    await page.locator("[data-drawn]").first().waitFor();
    await page
      .getByRole("button", { name: text.saved.more.split("{{")[0] ?? "" })
      .click();
    await page.getByRole("menuitem", { name: text.saved.duplicate }).click();
    const toast = page.getByText(text.saved.documentDuplicated);
    await toast.waitFor();
    await takeScreenshot(page, `saved-toast-${language}`);
    const toasts = await toast.evaluate((element) => {
      const shown = element.closest("[class*=toast]") ?? element;
      const { top, bottom, left, right } = shown.getBoundingClientRect();
      return { top, bottom, left, right };
    });
    const covered = await page
      .locator("main header :is(a, button)")
      .evaluateAll(
        (buttons, { top, bottom, left, right }) =>
          buttons
            .map((button) => [
              button.textContent,
              button.getBoundingClientRect(),
            ])
            .filter(([, box]) => {
              const { x, y, width, height } = box as DOMRect;
              return (
                x < right && x + width > left && y < bottom && y + height > top
              );
            })
            .map(([name]) => name),
        toasts,
      );
    expect(covered).toEqual([]);
    await context.close();
  });
});

describe("an edit", () => {
  const text = interfaceTexts("en");

  it("that was given up can be taken up again by the toast", async () => {
    const { document, context, page } = await openWithDocuments();
    await page.goto(
      `${product.address}/user-home/form-document?saved=${document?._id}`,
    );
    await fields(page).first().fill("not given up");
    await submit(page);
    await waitForResult(page);
    await button(page, text.cancel).click();
    await page.waitForURL("**/user-home/user-documents");
    await button(page, text.undo).click();
    await waitForResult(page);
    await page.getByRole("link", { name: text.result.edit }).click();
    expect(await fields(page).first().inputValue()).toBe("not given up");
    await context.close();
  });

  it("gives the document another title, and asks for one", async () => {
    const { person, document, context, page } = await openWithDocuments();
    await page.goto(
      `${product.address}/user-home/form-document?saved=${document?._id}`,
    );
    const title = page.getByRole("textbox", { name: text.form.documentTitle });
    await title.fill("  ");
    await submit(page);
    await page.getByText(text.form.titleRequired).waitFor();
    expect(await title.evaluate((input) => input.matches(":focus"))).toBe(true);
    await title.fill("The flat by the harbour");
    await submit(page);
    await waitForResult(page);
    await button(page, text.result.save).click();
    await page.waitForURL(`**/user-documents/${document?._id}`);
    await page
      .getByRole("heading", { name: "The flat by the harbour" })
      .waitFor();
    const [kept] = await savedDocumentsOf(product, person.token);
    expect(kept?.title).toBe("The flat by the harbour");
    await context.close();
  });

  it("is a draft on the device until it is saved, and can be discarded", async () => {
    const { document, context, page } = await openWithDocuments();
    const form = `${product.address}/user-home/form-document?saved=${document?._id}`;
    await page.goto(form);
    const first = fields(page).first();
    await first.waitFor();
    const before = await first.inputValue();
    await first.fill("half done");
    await page.goto(savedDocumentsUrl());
    await page.goto(form);
    await page.getByText(text.form.resumed).waitFor();
    expect(await first.inputValue()).toBe("half done");
    await takeScreenshot(page, "edit-resumed-en");
    await button(page, text.form.discard).click();
    await expect.poll(() => first.inputValue()).toBe(before);
    expect(await page.getByText(text.form.resumed).count()).toBe(0);
    await context.close();
  });

  it("is told what becomes of each value in a newer version of the template, and takes it only if it wants to", async () => {
    const { document, context, page } = await openWithDocuments();
    const all = document?.template.fields ?? [];
    const [dropped = "", ...kept] = all;
    const named = [...kept, "Shoe size"];
    const newer = {
      templateVersion: 2,
      fields: named,
      fieldHelp: named.map((field) => ({ field, kind: "text" })),
      added: ["Shoe size"],
      dropped: [dropped],
      renamed: [],
    };
    // admin-documents.test.ts publishes a real version; here the response is changed to contain one.
    await context.route(
      `**/documents/saved/${document?._id}`,
      async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as object;
        await route.fulfill({
          response: answer,
          json: { ...body, newerTemplate: newer },
        });
      },
    );
    await page.goto(
      `${product.address}/user-home/form-document?saved=${document?._id}`,
    );
    const offer = page.getByRole("region", { name: text.form.newer });
    await offer.waitFor();
    await offer.getByText(`${NAMES.en} 1`, { exact: true }).waitFor();
    await offer.getByText("Shoe size").waitFor();
    await takeScreenshot(page, "edit-newer-en");
    expect(await fields(page).count()).toBe(all.length);
    await button(page, text.form.takeVersion).click();
    await page.getByRole("textbox", { name: "Shoe size" }).waitFor();
    expect(
      await page.getByRole("textbox", { name: dropped, exact: true }).count(),
    ).toBe(0);
    expect(await fields(page).first().inputValue()).toBe(`${NAMES.en} 2`);
    // Going back to the old version loses no values.
    await button(page, text.form.keepVersion).click();
    await expect
      .poll(() => fields(page).first().inputValue())
      .toBe(`${NAMES.en} 1`);
    await context.close();
  });
});

describe("somebody who edits the same document elsewhere", () => {
  const text = interfaceTexts("en");

  /** Prepares an edit that is saved after another edit of the same document. */
  async function late() {
    const { person, template, document, context, page } =
      await openWithDocuments();
    const id = document?._id ?? "";
    await page.goto(`${product.address}/user-home/form-document?saved=${id}`);
    await fields(page).first().fill("mine");
    await submit(page);
    await waitForResult(page);
    const { status } = await callApi(
      product,
      "POST",
      `/documents/${template._id}/save`,
      {
        savedDocumentId: id,
        version: 1,
        fieldsAndValues: template.fields.map((field) => ({
          [field]: "theirs",
        })),
      },
      person.token,
    );
    expect(status).toBe(200);
    await button(page, text.result.save).click();
    await notice(page).waitFor();
    return { person, id, context, page };
  }

  it("is not overwritten: mine is kept as a copy", async () => {
    const { person, id, context, page } = await late();
    await takeScreenshot(page, "changed-elsewhere-en");
    expect((await savedValues(product, person.token, id))[0]).toBe("theirs");
    await clickAndWaitForText(
      page,
      () => button(page, text.saved.keepAsCopy).click(),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-documents/*");
    const kept = await savedDocumentsOf(product, person.token);
    expect(kept).toHaveLength(2);
    const copy = kept.find(({ _id }) => _id !== id);
    expect((await savedValues(product, person.token, copy?._id ?? ""))[0]).toBe(
      "mine",
    );
    expect((await savedValues(product, person.token, id))[0]).toBe("theirs");
    expect(page.url()).toContain(copy?._id);
    expect(await notice(page).count()).toBe(0);
    await context.close();
  });

  it("is not overwritten: the newer one is opened", async () => {
    const { person, id, context, page } = await late();
    await button(page, text.saved.openNewer).click();
    await page.waitForURL(`**/user-documents/${id}`);
    expect(await notice(page).count()).toBe(0);
    expect(await savedDocumentsOf(product, person.token)).toHaveLength(1);
    await page.goto(`${product.address}/user-home/form-document?saved=${id}`);
    await expect.poll(() => fields(page).first().inputValue()).toBe("theirs");
    await context.close();
  });

  it("has deleted it: it is brought back and saved", async () => {
    const { person, document, context, page } = await openWithDocuments();
    const id = document?._id ?? "";
    await page.goto(`${product.address}/user-home/form-document?saved=${id}`);
    await fields(page).first().fill("mine");
    await submit(page);
    await waitForResult(page);
    await callApi(
      product,
      "DELETE",
      `/documents/saved/${id}`,
      undefined,
      person.token,
    );
    await button(page, text.result.save).click();
    await notice(page).waitFor();
    await clickAndWaitForText(
      page,
      () => button(page, text.saved.restoreAndSave).click(),
      text.saved.documentSaved,
    );
    await page.waitForURL(`**/user-documents/${id}`);
    expect((await savedValues(product, person.token, id))[0]).toBe("mine");
    await context.close();
  });
});

describe("a saved document", () => {
  const text = interfaceTexts("en");

  it("is viewed and downloaded as it was saved", async () => {
    const { person, document, context, page, failures } =
      await openWithDocuments();
    await page.goto(savedDocumentsUrl());
    await cards(page).first().getByRole("link", { name: /^View/ }).click();
    await page.locator("[data-drawn]").first().waitFor();
    const pdf = await downloadBy(context, page, () =>
      button(page, text.result.downloadPdf).click(),
    );
    expect(pdf.name).toBe(`${document?.title}.pdf`);
    expect(textOfPdf(pdf.bytes)).toContain(`${NAMES.en} 1`);
    const word = await downloadBy(context, page, () =>
      button(page, text.result.downloadWord).click(),
    );
    expect(word.name).toMatch(/\.docx$/);
    expect(Buffer.from(word.bytes.slice(0, 2)).toString()).toBe("PK");
    expect((await savedDocumentsOf(product, person.token))[0]?.usageCount).toBe(
      2,
    );
    expect(failures).toEqual([]);
    await context.close();
  });

  it("is duplicated, deleted, and brought back", async () => {
    const { person, document, context, page, failures } =
      await openWithDocuments();
    const title = document?.title ?? "";
    await page.goto(savedDocumentsUrl());
    await cards(page).first().waitFor();
    await clickAndWaitForText(
      page,
      () => choose(page, title, text.saved.duplicate),
      text.saved.documentDuplicated,
    );
    await expect.poll(() => cards(page).count()).toBe(2);
    const copy = text.saved.copyOf.replace("{{title}}", title);
    await cards(page).first().getByText(copy).waitFor();
    const [newest] = await savedDocumentsOf(product, person.token);
    expect(await savedValues(product, person.token, newest?._id ?? "")).toEqual(
      await savedValues(product, person.token, document?._id ?? ""),
    );

    await choose(page, copy, text.saved.delete);
    await expect.poll(() => cards(page).count()).toBe(1);
    await page.getByText(text.saved.documentDeleted).waitFor();
    await takeScreenshot(page, "my-documents-deleted-en");
    expect(await savedDocumentsOf(product, person.token)).toHaveLength(1);
    await clickAndWaitForText(
      page,
      () => button(page, text.undo).click(),
      text.saved.documentRestored,
    );
    await expect.poll(() => cards(page).count()).toBe(2);
    expect(await savedDocumentsOf(product, person.token)).toHaveLength(2);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("that is deleted in its view leads back to the list", async () => {
    const { person, document, context, page } = await openWithDocuments();
    await page.goto(`${savedDocumentsUrl()}/${document?._id}`);
    await choose(page, document?.title ?? "", text.saved.delete);
    await page.waitForURL("**/user-home/user-documents");
    await page.getByText(text.saved.empty).waitFor();
    expect(await savedDocumentsOf(product, person.token)).toEqual([]);
    await context.close();
  });

  it("of somebody else is not there", async () => {
    const { document, context: theirs } = await openWithDocuments();
    await theirs.close();
    const { context, page } = await openWithDocuments();
    await page.goto(`${savedDocumentsUrl()}/${document?._id}`);
    await page.getByText(text.saved.notFoundHint).waitFor();
    await context.close();
  });
});

describe("the list", () => {
  const text = interfaceTexts("en");

  it("asks guests to log in, and leads back", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${savedDocumentsUrl()}?sort=oldest`);
    await page.waitForURL("**/login");
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/user-documents?sort=oldest");
    await page.getByText(text.saved.empty).waitFor();
    await takeScreenshot(page, "my-documents-empty-en");
    await context.close();
  });

  it("has pages of twelve, the true count, a search and four orders", async () => {
    const person = await createAccount(product);
    const template = await textTemplate(product, "en");
    const kept = [];
    for (let index = 1; index <= 13; index += 1)
      kept.push(
        await saveDocument(
          product,
          person.token,
          template,
          "x",
          `Paper ${index}`,
        ),
      );
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person);
    await page.goto(savedDocumentsUrl());
    const titles = () => cards(page).locator("h2").allTextContents();
    await expect.poll(() => cards(page).count()).toBe(12);
    await page.getByText("13 documents").waitFor();
    expect((await titles())[0]).toBe("Paper 13");
    await takeScreenshot(page, "my-documents-page-en");
    await button(page, text.pagination.next).click();
    await expect.poll(titles).toEqual(["Paper 1"]);

    // After the last document of a page is deleted, the previous page is shown.
    await choose(page, "Paper 1", text.saved.delete);
    await expect.poll(() => cards(page).count()).toBe(12);
    await page.getByText("12 documents").waitFor();

    const order = async (name: string) => {
      await page.getByRole("combobox", { name: text.catalogue.sort }).click();
      await page.getByRole("option", { name, exact: true }).click();
    };
    await order(text.saved.oldest);
    await expect.poll(async () => (await titles())[0]).toBe("Paper 2");
    const seventh = kept[6]?._id ?? "";
    await callApi(
      product,
      "GET",
      `/documents/saved/${seventh}?download=pdf`,
      undefined,
      person.token,
    );
    await order(text.saved["most-used"]);
    await expect.poll(async () => (await titles())[0]).toBe("Paper 7");
    await callApi(
      product,
      "POST",
      `/documents/${template._id}/save`,
      {
        savedDocumentId: kept[4]?._id,
        version: 1,
        fieldsAndValues: template.fields.map((field) => ({ [field]: "y" })),
      },
      person.token,
    );
    await order(text.saved["last-updated"]);
    await expect.poll(async () => (await titles())[0]).toBe("Paper 5");
    await order(text.saved.newest);
    await expect.poll(async () => (await titles())[0]).toBe("Paper 13");

    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("/");
    // One word is in the title, the other one in the values of the edited document.
    await page.keyboard.type("PAPER y");
    await expect.poll(titles).toEqual(["Paper 5"]);
    await page.getByText("1 document", { exact: true }).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("zzzz");
    await page.getByText(text.saved.noneFound).waitFor();
    await button(page, text.catalogue.clearSearch).last().click();
    await expect.poll(() => cards(page).count()).toBe(12);
    await context.close();
  });

  it("that cannot be loaded says so, and tries again", async () => {
    const { context, page } = await openWithDocuments();
    await context.route("**/documents/saved?**", (route) => route.abort());
    await page.goto(savedDocumentsUrl());
    await page.getByText(text.saved.failed).waitFor();
    await takeScreenshot(page, "my-documents-failed-en");
    await context.unroute("**/documents/saved?**");
    await button(page, text.retry).click();
    await expect.poll(() => cards(page).count()).toBe(1);
    await context.close();
  });

  it("says on a narrow screen what the view button is for", async () => {
    const { context, page } = await openWithDocuments();
    await page.goto(savedDocumentsUrl());
    await cards(page).first().waitFor();
    expect(await page.getByText(text.saved.hint).isVisible()).toBe(false);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByText(text.saved.hint).waitFor();
    await takeScreenshot(page, "my-documents-narrow-en");
    await context.close();
  });
});

it("my documents open on a phone, too, with a word on the view button", async () => {
  const text = interfaceTexts("en");
  const person = await createAccount(product);
  const template = await textTemplate(product, "en");
  await saveDocument(product, person.token, template, "x");
  const { body } = await callApi(product, "POST", "/auth/login", {
    email: person.email,
    password: person.password,
  });
  const context = await product.browser.newContext({
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto(savedDocumentsUrl());
  await page.waitForURL("**/login");
  await page.evaluate(({ token, user }) => {
    localStorage.setItem("token", token ?? "");
    localStorage.setItem("user", JSON.stringify(user));
  }, body);
  await page.goto(savedDocumentsUrl());
  await page.getByText(text.saved.hint).waitFor();
  await takeScreenshot(page, "phone-my-documents-en");
  await cards(page).first().getByRole("link", { name: /^View/ }).click();
  await page.locator("[data-drawn]").first().waitFor();
  await takeScreenshot(page, "phone-saved-en");
  await context.close();
});

describe("a lost network", () => {
  const text = interfaceTexts("en");

  /** Starts a save whose request is handled by the routes that `during` installs. */
  async function cut(
    during: (
      context: BrowserContext,
      keys: (string | undefined)[],
    ) => Promise<unknown>,
  ) {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person, true);
    await fillIn(page, "en", "on its way");
    const keys: (string | undefined)[] = [];
    await during(context, keys);
    await button(page, text.result.save).click();
    await notice(page).waitFor();
    return { person, context, page, keys };
  }

  it("keeps a save that did not arrive, and sends it once when it is back", async () => {
    const { person, context, page } = await cut((lost) =>
      lost.setOffline(true),
    );
    await button(page, text.result.saveWaits).waitFor();
    await takeScreenshot(page, "save-waits-en");
    expect(await savedDocumentsOf(product, person.token)).toEqual([]);
    await clickAndWaitForText(
      page,
      () => context.setOffline(false),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-documents/*");
    expect(await notice(page).count()).toBe(0);
    expect(await savedDocumentsOf(product, person.token)).toHaveLength(1);
    await context.close();
  });

  it("that loses the answer alone makes no second document, not even in a tab that is opened later", async () => {
    const { person, context, page, keys } = await cut((lost, seen) =>
      lost.route("**/save", async (route) => {
        seen.push(route.request().headers()["idempotency-key"]);
        if (seen.length > 1) return route.continue();
        // The document is saved, but the response is lost.
        await route.fetch();
        return route.abort();
      }),
    );
    expect(await savedDocumentsOf(product, person.token)).toHaveLength(1);
    await page.close();
    const later = await context.newPage();
    await later.goto(savedDocumentsUrl());
    await later.getByText(text.saved.documentSaved).waitFor();
    await expect.poll(() => cards(later).count()).toBe(1);
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keys).size).toBe(1);
    expect(await savedDocumentsOf(product, person.token)).toHaveLength(1);
    await context.close();
  });

  it("asks before a logout gives up what waits", async () => {
    const { context, page } = await cut((lost) =>
      lost.route("**/save", (route) => route.abort()),
    );
    const dialog = page.getByRole("dialog", { name: text.leaving.title });
    await button(page, text.logout).click();
    await dialog.getByText(text.saved.waitingLost).waitFor();
    await dialog.getByRole("button", { name: text.leaving.stay }).click();
    await notice(page).waitFor();
    await button(page, text.logout).click();
    await dialog.getByRole("button", { name: text.leaving.leave }).click();
    await page.waitForURL("**/login");
    await expect.poll(() => storedEntries(page, "save")).toEqual([]);
    await context.close();
  });

  it("takes nothing when the session has ended: it is saved after the next login", async () => {
    const person = await createAccount(product);
    const { context, page } = await openWindow(product, "en");
    await logIn(product, page, person, true);
    await fillIn(page, "en", "kept over a login");
    await callApi(
      product,
      "POST",
      "/auth/change-password",
      { oldPassword: person.password, newPassword: "Elsewhere-changed-1" },
      person.token,
    );
    await button(page, text.result.save).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=password]").fill("Elsewhere-changed-1");
    await clickAndWaitForText(
      page,
      () => dialog.locator("button[type=submit]").click(),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-documents/*");
    const token = (await tokenOf(page)) ?? "";
    expect(await savedDocumentsOf(product, token)).toHaveLength(1);
    await context.close();
  });
});

describe("two tabs", () => {
  const text = interfaceTexts("en");

  it("fill in one form together: neither overwrites the other", async () => {
    const { context, page } = await openWindow(product, "en");
    const { _id } = await textTemplate(product, "en");
    const form = `${product.address}/user-home/form-document?document=${_id}`;
    await page.goto(form);
    await fields(page).first().fill("from the first");
    const other = await context.newPage();
    await other.goto(form);
    await expect
      .poll(() => fields(other).first().inputValue())
      .toBe("from the first");
    await fields(other).nth(1).fill("from the second");
    await expect
      .poll(() => fields(page).nth(1).inputValue())
      .toBe("from the second");
    await page.getByText(text.form.elsewhere).waitFor();
    await fields(page).nth(2).fill("from the first again");
    await expect
      .poll(() => fields(other).nth(2).inputValue())
      .toBe("from the first again");
    await other.close();
    await page.reload();
    for (const [index, value] of [
      "from the first",
      "from the second",
      "from the first again",
    ].entries())
      expect(await fields(page).nth(index).inputValue()).toBe(value);
    await context.close();
  });

  it("that save two edits of one document: the second is told", async () => {
    const { person, document, context, page } = await openWithDocuments();
    const id = document?._id ?? "";
    const form = `${product.address}/user-home/form-document?saved=${id}`;
    await page.goto(form);
    await fields(page).first().fill("first");
    await submit(page);
    await waitForResult(page);
    const other = await context.newPage();
    await other.goto(form);
    await fields(other).nth(1).fill("second");
    await submit(other);
    await waitForResult(other);
    await button(page, text.result.save).click();
    await page.waitForURL(`**/user-documents/${id}`);
    await button(other, text.result.save).click();
    await notice(other)
      .getByText(/was changed elsewhere/)
      .waitFor();
    expect((await savedValues(product, person.token, id))[0]).toBe("first");
    await context.close();
  });
});

describe("a template", () => {
  it("has its header and first page at once, from what the list knows", async () => {
    const { context, page } = await openWindow(product, "en");
    await page.goto(`${product.address}/user-home/user-all-documents?lang=en`);
    const link = page.locator("ul[aria-label] li h2 a").first();
    const title = (await link.textContent()) ?? "";
    const release: (() => void)[] = [];
    await context.route(/\/api\/v1\/documents\/[^/?]+$/, async (route) => {
      await new Promise<void>((done) => release.push(done));
      await route.continue();
    });
    await link.click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.locator("[role=region] img").waitFor();
    await takeScreenshot(page, "preview-at-once-en");
    expect(await page.locator("[data-drawn]").count()).toBe(0);
    await expect.poll(() => release.length).toBe(1);
    release.forEach((done) => done());
    await page.locator("[data-drawn]").first().waitFor();
    await context.close();
  });

  it.each(LANGUAGES)(
    "of the stored language is what the catalogue begins with, until the chip is taken off (%s)",
    async (language) => {
      const text = interfaceTexts(language);
      const { context, page } = await openWindow(product, language);
      await page.goto(product.address);
      await page.evaluate(
        (code) => localStorage.setItem("languageCode", code),
        language,
      );
      await page.goto(`${product.address}/user-home/user-all-documents`);
      await cards(page).first().waitFor();
      const narrowed = await page
        .locator("main [role=status]")
        .first()
        .textContent();
      const chip = button(
        page,
        text.catalogue.removeLanguage.replace(
          "{{language}}",
          NATIVE_NAMES[language],
        ),
      );
      await takeScreenshot(page, `catalogue-chip-${language}`);
      await chip.click();
      await expect
        .poll(() => page.locator("main [role=status]").first().textContent())
        .not.toBe(narrowed);
      expect(await chip.count()).toBe(0);
      expect(page.url()).toContain("lang=all");
      await context.close();
    },
  );
});

it("the form says which fields are still empty, and leads to them", async () => {
  const text = interfaceTexts("en");
  const { context, page } = await openWindow(product, "en");
  const template = await textTemplate(product, "en");
  await page.goto(
    `${product.address}/user-home/form-document?document=${template._id}`,
  );
  await fields(page).first().fill("x");
  const rest = template.fields.length - 1;
  await page
    .getByText(text.form.empty_other.replace("{{count, number}}", String(rest)))
    .click();
  await button(page, template.fields[2] ?? "").click();
  expect(
    await fields(page)
      .nth(2)
      .evaluate((field) => field.matches(":focus")),
  ).toBe(true);
  await takeScreenshot(page, "form-empty-en");
  await context.close();
});
