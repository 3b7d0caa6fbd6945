import type { Document } from '@/api/types';
import { readJson, writeJson } from '@/shared/storage';

/** What somebody has entered for one template or for one edit; it outlives a reload, and a logout clears it. */
export interface Draft {
  values: Record<string, string>;
  /** Fields left empty print nothing instead of a dotted line. */
  blank: boolean;
  /** The name of this filling (Idempotency-Key): reloading the result does not count a second use. */
  filling: string | null;
  /** The saved document that is edited; null: a new one is made. */
  edit: Edit | null;
}

export interface Edit {
  /** The saved document's version when the edit began: a save that finds another one would overwrite somebody. */
  version: number;
  title: string;
  /** The version of the template that is filled in: the document's own, or the newest. */
  templateVersion: number;
}

const OF_A_GUEST = 'guest-';

/** A name for a filling. A guest's says so: asked for again after he has logged in, it is still his, and no second use is counted. */
export function newFilling(guest: boolean): string {
  return (guest ? OF_A_GUEST : '') + crypto.randomUUID();
}

export function isGuests(filling: string): boolean {
  return filling.startsWith(OF_A_GUEST);
}

export const EMPTY_DRAFT: Draft = { values: {}, blank: false, filling: null, edit: null };

/** Drafts kept at most; the oldest make room. */
const MOST_DRAFTS = 20;

/** Under what a draft is kept: the template's id, or for an edit this. */
export function editKey(savedId: string): string {
  return `saved:${savedId}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function editOf(stored: unknown): Edit | null {
  if (!isRecord(stored)) return null;
  const { version, title, templateVersion } = stored;
  if (typeof version !== 'number' || typeof title !== 'string' || typeof templateVersion !== 'number')
    return null;
  return { version, title, templateVersion };
}

function draftOf(stored: unknown): Draft | null {
  if (!isRecord(stored) || !isRecord(stored['values'])) return null;
  const values = Object.entries(stored['values']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    values: Object.fromEntries(values),
    blank: stored['blank'] === true,
    filling: typeof stored['filling'] === 'string' ? stored['filling'] : null,
    edit: editOf(stored['edit']),
  };
}

function allDrafts(): Record<string, unknown> {
  const stored = readJson('values');
  return isRecord(stored) ? stored : {};
}

/** The draft as it is kept, or null. */
export function readDraft(key: string): Draft | null {
  const drafts = allDrafts();
  return Object.hasOwn(drafts, key) ? draftOf(drafts[key]) : null;
}

/** The draft written last stands last, so that the first is the oldest. */
export function writeDraft(key: string, draft: Draft): void {
  const others = Object.entries(allDrafts()).filter(([other]) => other !== key);
  writeJson('values', Object.fromEntries([...others.slice(1 - MOST_DRAFTS), [key, draft]]));
}

/** For what was saved, or given up. */
export function removeDraft(key: string): void {
  writeJson('values', Object.fromEntries(Object.entries(allDrafts()).filter(([other]) => other !== key)));
}

/** What is changed in a draft; the values that are not named stay as they are. */
export type DraftChange = Partial<Draft>;

/** A changed draft is another filling, unless the change says which. */
export function changed(draft: Draft, change: DraftChange): Draft {
  return { ...draft, filling: null, ...change, values: { ...draft.values, ...change.values } };
}

/** Whether a value shows nothing on a page: white space and invisible characters alone count as empty. */
export function isBlank(value: string): boolean {
  return !/[^\s\p{Cf}\p{Cc}]/u.test(value);
}

/** What was entered for a field; its name may be anything, `constructor` too. */
export function valueOf(values: Record<string, string>, field: string): string {
  return Object.hasOwn(values, field) ? (values[field] ?? '') : '';
}

/** The wire's list of single-key objects, in the template's order; every field is there, and one that is blank is empty. */
export function fieldsAndValues(
  fields: readonly string[],
  values: Record<string, string>,
): Record<string, string>[] {
  return fields.map((field) => {
    const value = valueOf(values, field);
    return { [field]: isBlank(value) ? '' : value };
  });
}

/** The values of the wire's list by their names. */
export function valuesOf(list: readonly Record<string, string>[]): Record<string, string> {
  return Object.fromEntries(list.flatMap((pair) => Object.entries(pair)));
}

/** Remembers the template in hand, for an address that does not name it. */
export function keepCurrentDocument({ _id, title, fields }: Document): void {
  writeJson('currentDocument', { _id, title, fields });
}

export function currentDocumentId(): string | null {
  const stored = readJson('currentDocument');
  return isRecord(stored) && typeof stored['_id'] === 'string' ? stored['_id'] : null;
}
