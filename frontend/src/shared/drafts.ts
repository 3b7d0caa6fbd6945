import type { Template } from '@/api/types';
import { parseFieldValues } from '@/shared/fields/parseValues';
import type { FieldValues } from '@/shared/fields/values';
import { currentOwner } from '@/shared/personal/owner';
import { changeEntry, listEntries, readEntry } from '@/shared/personal/store';
import { readJson, writeJson } from '@/shared/storage';

/**
 * The input for a template or for an edit. It survives a reload, belongs to the user or guest who typed it, and a
 * logout deletes it.
 */
export interface Draft {
  values: FieldValues;
  /** True if empty fields print nothing, false for a dotted line. */
  blank: boolean;
  /** The idempotency key of this state: reloading the result does not count a second use. */
  filling: string | null;
  /** The saved document that is edited; null for a new one. */
  edit: Edit | null;
  /** The title under which a new document will be saved; by default the template's. */
  title?: string;
}

export interface Edit {
  /**
   * The document's version when the edit began. The save fails if another version is found, so that no other edit
   * is overwritten.
   */
  version: number;
  title: string;
  /** The template version that is filled in: the document's own, or the newest. */
  templateVersion: number;
}

const GUEST_PREFIX = 'guest-';

/**
 * Creates an idempotency key. A guest's key is marked: a repetition after the login is sent as a guest and not
 * counted again.
 */
export function createFillingKey(isGuest: boolean): string {
  return (isGuest ? GUEST_PREFIX : '') + crypto.randomUUID();
}

export function isGuestFilling(filling: string): boolean {
  return filling.startsWith(GUEST_PREFIX);
}

export const EMPTY_DRAFT: Draft = { values: {}, blank: false, filling: null, edit: null };

/** The maximum number of drafts; the oldest are dropped. */
const MAX_DRAFTS = 20;

/** Returns the key of an edit's draft. Other drafts have the template's id as their key. */
export function editDraftKey(savedId: string): string {
  return `saved:${savedId}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseEdit(stored: unknown): Edit | null {
  if (!isRecord(stored)) return null;
  const { version, title, templateVersion } = stored;
  if (typeof version !== 'number' || typeof title !== 'string' || typeof templateVersion !== 'number')
    return null;
  return { version, title, templateVersion };
}

function parseDraft(stored: unknown): Draft | null {
  if (!isRecord(stored) || !isRecord(stored['values'])) return null;
  return {
    values: parseFieldValues(stored['values']),
    blank: stored['blank'] === true,
    filling: typeof stored['filling'] === 'string' ? stored['filling'] : null,
    edit: parseEdit(stored['edit']),
    ...(typeof stored['title'] === 'string' && { title: stored['title'] }),
  };
}

/** Returns the stored draft of the current user or guest, or null. */
export function readDraft(key: string, owner = currentOwner()): Draft | null {
  return parseDraft(readEntry('draft', key, owner));
}

/**
 * Changes a draft: `update` gets the stored one, which another tab may have changed, or null, and must be pure. The
 * oldest drafts are dropped. Returns true when the draft is stored.
 */
export function changeDraft(
  key: string,
  update: (stored: Draft | null) => Draft | null,
  owner = currentOwner(),
): Promise<boolean> {
  const stored = changeEntry('draft', key, (now) => update(parseDraft(now)), owner);
  for (const { key: oldest } of listEntries('draft', owner).slice(0, -MAX_DRAFTS))
    void changeEntry('draft', oldest, () => null, owner);
  return stored;
}

/** Stores a draft. */
export function writeDraft(key: string, draft: Draft, owner = currentOwner()): Promise<boolean> {
  return changeDraft(key, () => draft, owner);
}

/** Stores the title under which a new document will be saved. The draft keeps its idempotency key. */
export function writeDraftTitle(key: string, title: string, owner = currentOwner()): Promise<boolean> {
  return changeDraft(key, (stored) => stored && { ...stored, title }, owner);
}

/** Removes a draft that was saved or discarded. */
export function removeDraft(key: string, owner = currentOwner()): void {
  void changeDraft(key, () => null, owner);
}

/** Changes to a draft. Values that are not named stay. */
export type DraftChange = Partial<Draft>;

/** Applies a change. The draft loses its idempotency key, unless the change contains one. */
export function applyDraftChange(draft: Draft, change: DraftChange): Draft {
  return { ...draft, filling: null, ...change, values: { ...draft.values, ...change.values } };
}

/** Stores the current template, for URLs that do not name it. */
export function storeCurrentTemplate({ _id, title, fields }: Template): void {
  writeJson('currentDocument', { _id, title, fields });
}

export function currentTemplateId(): string | null {
  const stored = readJson('currentDocument');
  return isRecord(stored) && typeof stored['_id'] === 'string' ? stored['_id'] : null;
}
