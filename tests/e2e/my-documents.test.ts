// Tests of saved documents: saving, finding, editing, copying and deleting them. A lost network, a second tab
// or another person's edit must not lose data.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { NATIVE_NAMES } from "../../frontend/src/shared/i18n/language.ts";
import { entriesOn } from "./device.ts";
import {
  account,
  call,
  codeOf,
  logIn,
  mailTo,
  pressed,
  somebody,
  typeCode,
  words,
} from "./people.ts";
import {
  generated,
  picture,
  savedBy,
  start,
  textOfPdf,
  visitor,
  type Language,
  type Product,
} from "./product.ts";
import { keep, keptOf, templateOf, usesOf, valuesOf } from "./saved.ts";

let product: Product;
beforeAll(async () => {
  product = await start(["--limits-factor", "100"]);
});
afterAll(() => product?.stop());

const LANGUAGES: Language[] = ["en", "fr", "ar"];
const NAMES: Record<Language, string> = {
  en: "Harbour Lane 41",
  fr: "Élise Cœur 52",
  ar: "شارع الميناء 63",
};
const mine = () => `${product.address}/user-home/user-documents`;
const cards = (page: Page) => page.locator("ul[aria-label] > li:has(h2)");
const fields = (page: Page) => page.locator("form [data-input]");
const submit = (page: Page) => page.locator("main button[type=submit]").click();
const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true });
/** The list of saves that have not succeeded yet. */
const notice = (page: Page, language: Language = "en") =>
  page.getByRole("list", { name: words(language).saved.waiting });
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
    .getByRole("link", { name: words(language).preview.generate, exact: true })
    .click();
  await fields(page).first().fill(value);
  await submit(page);
  await generated(page);
}

/** Creates a person with saved documents and opens a window for them. */
async function owner(language: Language = "en", documents = 1) {
  const person = await account(product, somebody(), language);
  const template = await templateOf(product, language);
  const kept = [];
  for (let index = 0; index < documents; index += 1)
    kept.push(await keep(product, person.token, template, NAMES[language]));
  const { context, page, failures } = await visitor(product, language);
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
  await button(page, words(language).saved.more.replace("{{title}}", title))
    .first()
    .click();
  await page.getByRole("menuitem", { name: what, exact: true }).click();
}

describe.each(LANGUAGES)("a guest who saves, in %s", (language) => {
  const text = words(language);

  it("is asked to log in, registers, and finds the document saved", async () => {
    const person = somebody();
    const { context, page, failures } = await visitor(product, language);
    await fillIn(page, language, NAMES[language]);
    const dialog = page.getByRole("dialog", {
      name: text.result.requiredLogin,
    });
    await button(page, text.result.save).click();
    await dialog.getByText(text.result.loginRequiredMessage).waitFor();
    await picture(page, `login-required-${language}`);
    await pressed(
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
    const code = codeOf(await mailTo(product, person.email, "register-code"));
    await typeCode(page, code);
    await pressed(
      page,
      () => page.locator("button[type=submit]").click(),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-home/user-documents/*");
    await page.locator("[data-drawn]").first().waitFor();
    await picture(page, `saved-view-${language}`);

    // The document is saved once with the entered values, and these are not offered for the next document.
    const token = (await tokenOf(page)) ?? "";
    const [kept, ...others] = await keptOf(product, token);
    expect(others).toEqual([]);
    expect((await valuesOf(product, token, kept?._id ?? ""))[0]).toBe(
      NAMES[language],
    );
    expect(await entriesOn(page, "draft")).toEqual([]);

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
    await picture(page, `my-documents-${language}`);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("who has an account logs in, and nothing is lost", async () => {
    const person = await account(product, somebody(), language);
    const { context, page } = await visitor(product, language);
    await fillIn(page, language, NAMES[language]);
    const template = new URL(page.url()).searchParams.get("document") ?? "";
    const used = await usesOf(product, template);
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
    await pressed(
      page,
      () => page.locator("button[type=submit]").click(),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-home/user-documents/*");
    const kept = await keptOf(product, person.token);
    expect(kept).toHaveLength(1);
    // The guest's document counts as one use, although it is requested again after the login.
    expect(await usesOf(product, template)).toBe(used);
    // One wish saves one document: neither going back nor opening the page again saves another.
    await page.goto(mine());
    await cards(page).first().waitFor();
    expect(await keptOf(product, person.token)).toHaveLength(1);
    await context.close();
  });
});

describe.each(LANGUAGES)("an edit, in %s", (language) => {
  const text = words(language);

  it("is given up by Cancel, and saved by Save", async () => {
    const { person, document, context, page, failures } = await owner(language);
    const id = document?._id ?? "";
    const before = await valuesOf(product, person.token, id);
    const edit = async (value: string) => {
      await page.goto(mine());
      await cards(page)
        .first()
        .getByRole("link", { name: new RegExp(`^${text.saved.edit}`) })
        .click();
      await expect
        .poll(() => fields(page).first().inputValue())
        .toBe(before[0]);
      await fields(page).first().fill(value);
      await picture(page, `edit-form-${language}`);
      await submit(page);
      await generated(page);
    };

    await edit("given up");
    await picture(page, `edit-result-${language}`);
    await pressed(
      page,
      () => button(page, text.cancel).click(),
      text.result.editDiscarded,
    );
    await page.waitForURL("**/user-home/user-documents");
    expect(await valuesOf(product, person.token, id)).toEqual(before);

    await edit(NAMES[language].toUpperCase());
    await pressed(
      page,
      () => button(page, text.result.save).click(),
      text.saved.documentSaved,
    );
    await page.waitForURL(`**/user-documents/${id}`);
    await page.locator("[data-drawn]").first().waitFor();
    const [kept, ...others] = await keptOf(product, person.token);
    expect(others).toEqual([]);
    expect(kept?.version).toBe(2);
    expect((await valuesOf(product, person.token, id))[0]).toBe(
      NAMES[language].toUpperCase(),
    );
    expect(failures).toEqual([]);
    await context.close();
  });
});

describe("an edit", () => {
  const text = words("en");

  it("that was given up can be taken up again by the toast", async () => {
    const { document, context, page } = await owner();
    await page.goto(
      `${product.address}/user-home/form-document?saved=${document?._id}`,
    );
    await fields(page).first().fill("not given up");
    await submit(page);
    await generated(page);
    await button(page, text.cancel).click();
    await page.waitForURL("**/user-home/user-documents");
    await button(page, text.undo).click();
    await generated(page);
    await page.getByRole("link", { name: text.result.toForm }).click();
    expect(await fields(page).first().inputValue()).toBe("not given up");
    await context.close();
  });

  it("gives the document another title, and asks for one", async () => {
    const { person, document, context, page } = await owner();
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
    await generated(page);
    await button(page, text.result.save).click();
    await page.waitForURL(`**/user-documents/${document?._id}`);
    await page
      .getByRole("heading", { name: "The flat by the harbour" })
      .waitFor();
    const [kept] = await keptOf(product, person.token);
    expect(kept?.title).toBe("The flat by the harbour");
    await context.close();
  });

  it("is a draft on the device until it is saved, and can be discarded", async () => {
    const { document, context, page } = await owner();
    const form = `${product.address}/user-home/form-document?saved=${document?._id}`;
    await page.goto(form);
    const first = fields(page).first();
    await first.waitFor();
    const before = await first.inputValue();
    await first.fill("half done");
    await page.goto(mine());
    await page.goto(form);
    await page.getByText(text.form.resumed).waitFor();
    expect(await first.inputValue()).toBe("half done");
    await picture(page, "edit-resumed-en");
    await button(page, text.form.discard).click();
    await expect.poll(() => first.inputValue()).toBe(before);
    expect(await page.getByText(text.form.resumed).count()).toBe(0);
    await context.close();
  });

  it("is told what becomes of each value in a newer version of the template, and takes it only if it wants to", async () => {
    const { document, context, page } = await owner();
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
    await picture(page, "edit-newer-en");
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
  const text = words("en");

  /** Prepares an edit that is saved after another edit of the same document. */
  async function late() {
    const { person, template, document, context, page } = await owner();
    const id = document?._id ?? "";
    await page.goto(`${product.address}/user-home/form-document?saved=${id}`);
    await fields(page).first().fill("mine");
    await submit(page);
    await generated(page);
    const { status } = await call(
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
    await picture(page, "changed-elsewhere-en");
    expect((await valuesOf(product, person.token, id))[0]).toBe("theirs");
    await pressed(
      page,
      () => button(page, text.saved.keepAsCopy).click(),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-documents/*");
    const kept = await keptOf(product, person.token);
    expect(kept).toHaveLength(2);
    const copy = kept.find(({ _id }) => _id !== id);
    expect((await valuesOf(product, person.token, copy?._id ?? ""))[0]).toBe(
      "mine",
    );
    expect((await valuesOf(product, person.token, id))[0]).toBe("theirs");
    expect(page.url()).toContain(copy?._id);
    expect(await notice(page).count()).toBe(0);
    await context.close();
  });

  it("is not overwritten: the newer one is opened", async () => {
    const { person, id, context, page } = await late();
    await button(page, text.saved.openNewer).click();
    await page.waitForURL(`**/user-documents/${id}`);
    expect(await notice(page).count()).toBe(0);
    expect(await keptOf(product, person.token)).toHaveLength(1);
    await page.goto(`${product.address}/user-home/form-document?saved=${id}`);
    await expect.poll(() => fields(page).first().inputValue()).toBe("theirs");
    await context.close();
  });

  it("has deleted it: it is brought back and saved", async () => {
    const { person, document, context, page } = await owner();
    const id = document?._id ?? "";
    await page.goto(`${product.address}/user-home/form-document?saved=${id}`);
    await fields(page).first().fill("mine");
    await submit(page);
    await generated(page);
    await call(
      product,
      "DELETE",
      `/documents/saved/${id}`,
      undefined,
      person.token,
    );
    await button(page, text.result.save).click();
    await notice(page).waitFor();
    await pressed(
      page,
      () => button(page, text.saved.restoreAndSave).click(),
      text.saved.documentSaved,
    );
    await page.waitForURL(`**/user-documents/${id}`);
    expect((await valuesOf(product, person.token, id))[0]).toBe("mine");
    await context.close();
  });
});

describe("a saved document", () => {
  const text = words("en");

  it("is viewed and downloaded as it was saved", async () => {
    const { person, document, context, page, failures } = await owner();
    await page.goto(mine());
    await cards(page).first().getByRole("link", { name: /^View/ }).click();
    await page.locator("[data-drawn]").first().waitFor();
    const pdf = await savedBy(context, page, () =>
      button(page, text.result.downloadPdf).click(),
    );
    expect(pdf.name).toBe(`${document?.title}.pdf`);
    expect(textOfPdf(pdf.bytes)).toContain(`${NAMES.en} 1`);
    const word = await savedBy(context, page, () =>
      button(page, text.result.downloadWord).click(),
    );
    expect(word.name).toMatch(/\.docx$/);
    expect(Buffer.from(word.bytes.slice(0, 2)).toString()).toBe("PK");
    expect((await keptOf(product, person.token))[0]?.usageCount).toBe(2);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("is duplicated, deleted, and brought back", async () => {
    const { person, document, context, page, failures } = await owner();
    const title = document?.title ?? "";
    await page.goto(mine());
    await cards(page).first().waitFor();
    await pressed(
      page,
      () => choose(page, title, text.saved.duplicate),
      text.saved.documentDuplicated,
    );
    await expect.poll(() => cards(page).count()).toBe(2);
    const copy = text.saved.copyOf.replace("{{title}}", title);
    await cards(page).first().getByText(copy).waitFor();
    const [newest] = await keptOf(product, person.token);
    expect(await valuesOf(product, person.token, newest?._id ?? "")).toEqual(
      await valuesOf(product, person.token, document?._id ?? ""),
    );

    await choose(page, copy, text.saved.delete);
    await expect.poll(() => cards(page).count()).toBe(1);
    await page.getByText(text.saved.documentDeleted).waitFor();
    await picture(page, "my-documents-deleted-en");
    expect(await keptOf(product, person.token)).toHaveLength(1);
    await pressed(
      page,
      () => button(page, text.undo).click(),
      text.saved.documentRestored,
    );
    await expect.poll(() => cards(page).count()).toBe(2);
    expect(await keptOf(product, person.token)).toHaveLength(2);
    expect(failures).toEqual([]);
    await context.close();
  });

  it("that is deleted in its view leads back to the list", async () => {
    const { person, document, context, page } = await owner();
    await page.goto(`${mine()}/${document?._id}`);
    await choose(page, document?.title ?? "", text.saved.delete);
    await page.waitForURL("**/user-home/user-documents");
    await page.getByText(text.saved.empty).waitFor();
    expect(await keptOf(product, person.token)).toEqual([]);
    await context.close();
  });

  it("of somebody else is not there", async () => {
    const { document, context: theirs } = await owner();
    await theirs.close();
    const { context, page } = await owner();
    await page.goto(`${mine()}/${document?._id}`);
    await page.getByText(text.saved.notFoundHint).waitFor();
    await context.close();
  });
});

describe("the list", () => {
  const text = words("en");

  it("asks guests to log in, and leads back", async () => {
    const person = await account(product);
    const { context, page } = await visitor(product, "en");
    await page.goto(`${mine()}?sort=oldest`);
    await page.waitForURL("**/login");
    await page.locator("[name=email]").fill(person.email);
    await page.locator("[name=password]").fill(person.password);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/user-documents?sort=oldest");
    await page.getByText(text.saved.empty).waitFor();
    await picture(page, "my-documents-empty-en");
    await context.close();
  });

  it("has pages of twelve, the true count, a search and four orders", async () => {
    const person = await account(product);
    const template = await templateOf(product, "en");
    const kept = [];
    for (let index = 1; index <= 13; index += 1)
      kept.push(
        await keep(product, person.token, template, "x", `Paper ${index}`),
      );
    const { context, page } = await visitor(product, "en");
    await logIn(product, page, person);
    await page.goto(mine());
    const titles = () => cards(page).locator("h2").allTextContents();
    await expect.poll(() => cards(page).count()).toBe(12);
    await page.getByText("13 documents").waitFor();
    expect((await titles())[0]).toBe("Paper 13");
    await picture(page, "my-documents-page-en");
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
    await call(
      product,
      "GET",
      `/documents/saved/${seventh}?download=pdf`,
      undefined,
      person.token,
    );
    await order(text.saved["most-used"]);
    await expect.poll(async () => (await titles())[0]).toBe("Paper 7");
    await call(
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
    await page.keyboard.type("PAPER 7");
    await expect.poll(titles).toEqual(["Paper 7"]);
    await page.getByText("1 document", { exact: true }).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("zzzz");
    await page.getByText(text.saved.noneFound).waitFor();
    await button(page, text.catalogue.clearSearch).last().click();
    await expect.poll(() => cards(page).count()).toBe(12);
    await context.close();
  });

  it("that cannot be loaded says so, and tries again", async () => {
    const { context, page } = await owner();
    await context.route("**/documents/saved?**", (route) => route.abort());
    await page.goto(mine());
    await page.getByText(text.saved.failed).waitFor();
    await picture(page, "my-documents-failed-en");
    await context.unroute("**/documents/saved?**");
    await button(page, text.retry).click();
    await expect.poll(() => cards(page).count()).toBe(1);
    await context.close();
  });

  it("says on a narrow screen what the view button is for", async () => {
    const { context, page } = await owner();
    await page.goto(mine());
    await cards(page).first().waitFor();
    expect(await page.getByText(text.saved.hint).isVisible()).toBe(false);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByText(text.saved.hint).waitFor();
    await picture(page, "my-documents-narrow-en");
    await context.close();
  });
});

it("my documents open on a phone, too, with a word on the view button", async () => {
  const text = words("en");
  const person = await account(product);
  const template = await templateOf(product, "en");
  await keep(product, person.token, template, "x");
  const { body } = await call(product, "POST", "/auth/login", {
    email: person.email,
    password: person.password,
  });
  const context = await product.browser.newContext({
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto(mine());
  await page.getByRole("heading", { name: text.mobile.title }).waitFor();
  await page.evaluate(({ token, user }) => {
    localStorage.setItem("token", token ?? "");
    localStorage.setItem("user", JSON.stringify(user));
  }, body);
  await page.goto(mine());
  await page.getByText(text.saved.hint).waitFor();
  await picture(page, "phone-my-documents-en");
  await cards(page).first().getByRole("link", { name: /^View/ }).click();
  await page.locator("[data-drawn]").first().waitFor();
  await picture(page, "phone-saved-en");
  await context.close();
});

describe("a lost network", () => {
  const text = words("en");

  /** Starts a save whose request is handled by the routes that `during` installs. */
  async function cut(
    during: (
      context: BrowserContext,
      keys: (string | undefined)[],
    ) => Promise<unknown>,
  ) {
    const person = await account(product);
    const { context, page } = await visitor(product, "en");
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
    await picture(page, "save-waits-en");
    expect(await keptOf(product, person.token)).toEqual([]);
    await pressed(
      page,
      () => context.setOffline(false),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-documents/*");
    expect(await notice(page).count()).toBe(0);
    expect(await keptOf(product, person.token)).toHaveLength(1);
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
    expect(await keptOf(product, person.token)).toHaveLength(1);
    await page.close();
    const later = await context.newPage();
    await later.goto(mine());
    await later.getByText(text.saved.documentSaved).waitFor();
    await expect.poll(() => cards(later).count()).toBe(1);
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keys).size).toBe(1);
    expect(await keptOf(product, person.token)).toHaveLength(1);
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
    await expect.poll(() => entriesOn(page, "save")).toEqual([]);
    await context.close();
  });

  it("takes nothing when the session has ended: it is saved after the next login", async () => {
    const person = await account(product);
    const { context, page } = await visitor(product, "en");
    await logIn(product, page, person, true);
    await fillIn(page, "en", "kept over a login");
    await call(
      product,
      "POST",
      "/auth/change-password",
      { oldPassword: person.password, newPassword: "Elsewhere-changed-1" },
      person.token,
    );
    await button(page, text.result.save).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=password]").fill("Elsewhere-changed-1");
    await pressed(
      page,
      () => dialog.locator("button[type=submit]").click(),
      text.saved.documentSaved,
    );
    await page.waitForURL("**/user-documents/*");
    const token = (await tokenOf(page)) ?? "";
    expect(await keptOf(product, token)).toHaveLength(1);
    await context.close();
  });
});

describe("two tabs", () => {
  const text = words("en");

  it("fill in one form together: neither overwrites the other", async () => {
    const { context, page } = await visitor(product, "en");
    const { _id } = await templateOf(product, "en");
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
    const { person, document, context, page } = await owner();
    const id = document?._id ?? "";
    const form = `${product.address}/user-home/form-document?saved=${id}`;
    await page.goto(form);
    await fields(page).first().fill("first");
    await submit(page);
    await generated(page);
    const other = await context.newPage();
    await other.goto(form);
    await fields(other).nth(1).fill("second");
    await submit(other);
    await generated(other);
    await button(page, text.result.save).click();
    await page.waitForURL(`**/user-documents/${id}`);
    await button(other, text.result.save).click();
    await notice(other)
      .getByText(/was changed elsewhere/)
      .waitFor();
    expect((await valuesOf(product, person.token, id))[0]).toBe("first");
    await context.close();
  });
});

describe("a template", () => {
  it("has its header and first page at once, from what the list knows", async () => {
    const { context, page } = await visitor(product, "en");
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
    await picture(page, "preview-at-once-en");
    expect(await page.locator("[data-drawn]").count()).toBe(0);
    await expect.poll(() => release.length).toBe(1);
    release.forEach((done) => done());
    await page.locator("[data-drawn]").first().waitFor();
    await context.close();
  });

  it.each(LANGUAGES)(
    "of the stored language is what the catalogue begins with, until the chip is taken off (%s)",
    async (language) => {
      const text = words(language);
      const { context, page } = await visitor(product, language);
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
      await picture(page, `catalogue-chip-${language}`);
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
  const text = words("en");
  const { context, page } = await visitor(product, "en");
  const template = await templateOf(product, "en");
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
  await picture(page, "form-empty-en");
  await context.close();
});
