// Saved documents for the tests, created and read without a browser.
import { callApi } from "./people.ts";
import type { Product } from "./product.ts";

export interface Template {
  _id: string;
  title: string;
  fields: string[];
}

export interface SavedDocument {
  _id: string;
  title: string;
  version: number;
  usageCount: number;
  template: { _id: string; title: string; fields: string[] };
}

async function getFromApi<T>(
  product: Product,
  path: string,
  token?: string,
): Promise<T> {
  const answer = await callApi(product, "GET", path, undefined, token);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.body as T;
}

/** A template of each language whose fields are all texts. All three are on the first page of the catalogue. */
const TEXT_TEMPLATES: Record<string, string> = {
  en: "en-mutual-non-disclosure-agreement",
  fr: "fr-procuration",
  ar: "ar-loan-acknowledgement",
};

/** Returns a template whose fields are all texts, so that a form without lists and pictures is shown. */
export async function textTemplate(
  product: Product,
  language: string,
): Promise<Template> {
  const { document } = await getFromApi<{ document: Template }>(
    product,
    `/documents/${TEXT_TEMPLATES[language]}`,
  );
  return document;
}

/** Returns the current number of uses of a template. */
export async function useCount(product: Product, id: string): Promise<number> {
  const { document } = await getFromApi<{ document: { usageCount: number } }>(
    product,
    `/documents/${id}`,
  );
  return document.usageCount;
}

/**
 * Saves a document in which every field has a value made from `word`. With `before` it is an edit of that
 * document.
 */
export async function saveDocument(
  product: Product,
  token: string,
  template: Template,
  word: string,
  title?: string,
  before?: SavedDocument,
): Promise<SavedDocument> {
  const answer = await callApi(
    product,
    "POST",
    `/documents/${template._id}/save`,
    {
      fieldsAndValues: template.fields.map((field, index) => ({
        [field]: `${word} ${index + 1}`,
      })),
      ...(title === undefined ? {} : { title }),
      ...(before
        ? { savedDocumentId: before._id, version: before.version }
        : {}),
    },
    token,
  );
  if (answer.status !== (before ? 200 : 201))
    throw new Error(`save: ${answer.status} ${JSON.stringify(answer.body)}`);
  return (answer.body as unknown as { savedDocument: SavedDocument })
    .savedDocument;
}

/** Returns all saved documents of an account, newest first. */
export async function savedDocumentsOf(
  product: Product,
  token: string,
): Promise<SavedDocument[]> {
  const { savedDocuments } = await getFromApi<{
    savedDocuments: SavedDocument[];
  }>(product, "/documents/saved?limit=100", token);
  return savedDocuments;
}

/** Returns the values of a saved document in the order of its fields. */
export async function savedValues(
  product: Product,
  token: string,
  id: string,
): Promise<string[]> {
  const { savedDocument } = await getFromApi<{
    savedDocument: { currentDocumentData: Record<string, string>[] };
  }>(product, `/documents/saved/${id}`, token);
  return savedDocument.currentDocumentData.flatMap((pair) =>
    Object.values(pair),
  );
}
