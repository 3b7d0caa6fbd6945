import type { Owner } from './owner';

/** The kinds of entries, each with its life after the last change in days. */
const LIFETIME_DAYS = {
  /** The input of a form. */
  draft: 30,
  /** A save that is not finished. */
  save: 30,
  /** An unfinished message to the help center. */
  message: 30,
  /** An unfinished template of an admin. */
  template: 30,
  /** The file of an unfinished template. */
  file: 30,
  /** The answers that a guest has asked this device to remember. */
  answers: 365,
  /** The signature that a user or guest has asked this browser to keep. */
  signature: 365,
} as const;

export type EntryKind = keyof typeof LIFETIME_DAYS;

/** The key of an entry in the database. */
export type EntryKey = [owner: Owner, kind: EntryKind, key: string];

export interface Entry {
  owner: Owner;
  kind: EntryKind;
  key: string;
  value: unknown;
  /** The time of the last change in milliseconds since 1970. It increases with each change of an entry. */
  written: number;
  expires: number;
  /** The id of the browser session that the entry ends with; null if it outlives the browser. */
  browser: string | null;
}

/** Returns the time that an entry is kept after its last change, in milliseconds. */
export function lifetimeMs(kind: EntryKind): number {
  return LIFETIME_DAYS[kind] * 86_400_000;
}

export function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, kind, key, written, expires, browser } = value as Record<string, unknown>;
  return (
    typeof owner === 'string' &&
    typeof kind === 'string' &&
    kind in LIFETIME_DAYS &&
    typeof key === 'string' &&
    typeof written === 'number' &&
    typeof expires === 'number' &&
    (browser === null || typeof browser === 'string')
  );
}
