import type { Document } from '@/api/types';
import { readJson, writeJson } from '@/shared/storage';

/** What somebody has entered for one template; it outlives a reload, and a logout clears it. */
export interface Draft {
  values: Record<string, string>;
  /** Fields left empty print nothing instead of a dotted line. */
  blank: boolean;
  /** The name of this filling (Idempotency-Key): reloading the result does not count a second use. */
  filling: string | null;
}

export const EMPTY_DRAFT: Draft = { values: {}, blank: false, filling: null };

/** Drafts kept at most; the oldest make room. */
const MOST_DRAFTS = 20;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function draftOf(stored: unknown): Draft {
  if (!isRecord(stored) || !isRecord(stored['values'])) return EMPTY_DRAFT;
  const values = Object.entries(stored['values']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    values: Object.fromEntries(values),
    blank: stored['blank'] === true,
    filling: typeof stored['filling'] === 'string' ? stored['filling'] : null,
  };
}

function allDrafts(): Record<string, unknown> {
  const stored = readJson('values');
  return isRecord(stored) ? stored : {};
}

export function readDraft(id: string): Draft {
  const drafts = allDrafts();
  return Object.hasOwn(drafts, id) ? draftOf(drafts[id]) : EMPTY_DRAFT;
}

/** The draft written last stands last, so that the first is the oldest. */
export function writeDraft(id: string, draft: Draft): void {
  const others = Object.entries(allDrafts()).filter(([other]) => other !== id);
  writeJson('values', Object.fromEntries([...others.slice(1 - MOST_DRAFTS), [id, draft]]));
}

/** Whether a value shows nothing on a page: white space and invisible characters alone count as empty. */
export function isBlank(value: string): boolean {
  return !/[^\s\p{Cf}\p{Cc}]/u.test(value);
}

/** The wire's list of single-key objects, in the template's order; every field is there, and one that is blank is empty. */
export function fieldsAndValues(
  fields: readonly string[],
  values: Record<string, string>,
): Record<string, string>[] {
  return fields.map((field) => {
    const value = Object.hasOwn(values, field) ? (values[field] ?? '') : '';
    return { [field]: isBlank(value) ? '' : value };
  });
}

/** Remembers the template in hand, for an address that does not name it. */
export function keepCurrentDocument({ _id, title, fields }: Document): void {
  writeJson('currentDocument', { _id, title, fields });
}

export function currentDocumentId(): string | null {
  const stored = readJson('currentDocument');
  return isRecord(stored) && typeof stored['_id'] === 'string' ? stored['_id'] : null;
}
