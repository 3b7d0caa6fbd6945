import type { Document } from '@/api/types';
import { readJson, writeJson } from '@/shared/storage';
import { createStore } from '@/shared/store';

/** What somebody is filling in: it survives a reload, and ends with a logout (keys `currentDocument` and `values`). */
export interface Draft {
  document: Pick<
    Document,
    '_id' | 'title' | 'fields' | 'language' | 'thumbnail' | 'thumbnailWidth' | 'thumbnailHeight'
  >;
  /** By field name. */
  values: Record<string, string>;
  /** Print nothing in an empty field, rather than a dotted line. */
  blank: boolean;
  /** Names one generation: shown again it is the same answer, and counts once. */
  generation: string | null;
}

function isTexts(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}

function isDocument(value: unknown): value is Draft['document'] {
  return (
    typeof value === 'object' &&
    value !== null &&
    '_id' in value &&
    'fields' in value &&
    Array.isArray(value.fields)
  );
}

function restore(): Draft | null {
  const document = readJson('currentDocument');
  if (!isDocument(document)) return null;
  const kept = readJson('values');
  const { documentId, values, blank, generation } = (kept ?? {}) as Record<string, unknown>;
  const ours = documentId === document._id;
  return {
    document,
    values: ours && isTexts(values) ? values : {},
    blank: ours && blank === true,
    generation: ours && typeof generation === 'string' ? generation : null,
  };
}

export const draft = createStore<Draft | null>(restore());

function keep(next: Draft): void {
  const { document, values, blank, generation } = next;
  writeJson('currentDocument', document);
  writeJson('values', { documentId: document._id, values, blank, generation });
  draft.set(next);
}

/** Begins with a template, or goes on with it: what was entered for the same one is still there. */
export function startDraft(document: Document): void {
  const now = draft.get();
  const same = now?.document._id === document._id ? now : null;
  const { _id, title, fields, language, thumbnail, thumbnailWidth, thumbnailHeight } = document;
  keep({
    document: { _id, title, fields, language, thumbnail: thumbnail ?? null, thumbnailWidth, thumbnailHeight },
    values: same?.values ?? {},
    blank: same?.blank ?? false,
    generation: null,
  });
}

/** A change ends the generation: the next one is another document. */
export function changeDraft(change: Partial<Pick<Draft, 'values' | 'blank'>>): void {
  const now = draft.get();
  if (now) keep({ ...now, ...change, generation: null });
}

/** Gives the draft, as it is now, its name for the server. */
export function beginGeneration(): void {
  const now = draft.get();
  if (now) keep({ ...now, generation: now.generation ?? crypto.randomUUID() });
}

export function forgetDraft(): void {
  draft.set(null);
}

/** The values in the order of the fields, each an object of its own (specification §3). */
export function fieldsAndValues({ document, values }: Draft): Record<string, string>[] {
  return document.fields.map((name) => ({ [name]: values[name] ?? '' }));
}
