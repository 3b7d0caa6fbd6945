/**
 * The browser's synchronous storage, with the keys of the specification (§3). It keeps the session and small
 * settings. What users type is in `shared/personal`. A forbidden storage counts as empty, except for
 * steps between pages.
 */

import { createStore } from './store';

export type StorageKey =
  | 'token'
  | 'role'
  | 'user'
  | 'sessionBrowser'
  | 'browserSession'
  | 'guestEntries'
  | 'leftEntries'
  | 'returnUrl'
  | 'currentDocument'
  | 'userId'
  | 'newEmail'
  | 'changeEmail'
  | 'saveAfterLogin'
  | 'reloadedVersion'
  | 'languageView'
  | 'savedDocumentsView'
  | 'languageCode'
  | 'country'
  | LegacyKey;

/** Keys of earlier versions, whose values had no owner. */
const LEGACY_KEYS = [
  'adminDocument',
  'templateDraft',
  'values',
  'knownAnswers',
  'supportMessage',
  'waitingSaves',
] as const;
export type LegacyKey = (typeof LEGACY_KEYS)[number];

export type StorageArea = 'local' | 'session';

/**
 * The keys of steps between two pages, such as the page to return to after the login. If the browser refuses to store
 * them, they are kept in memory, so that the step works unless the page is reloaded.
 */
const STEP_KEYS: readonly StorageKey[] = ['saveAfterLogin', 'returnUrl', 'userId', 'newEmail', 'changeEmail'];
const stepsInMemory = new Map<StorageKey, string>();
/** True while a step is only kept in memory. */
export const isStepUnstored = createStore(false);

function keepInMemory(key: StorageKey, value: string | null): void {
  if (value === null) stepsInMemory.delete(key);
  else if (STEP_KEYS.includes(key)) stepsInMemory.set(key, value);
  const isUnstored = stepsInMemory.size > 0;
  if (isUnstored !== isStepUnstored.get()) isStepUnstored.set(isUnstored);
}

function browserStorage(area: StorageArea): Storage | null {
  try {
    return area === 'local' ? window.localStorage : window.sessionStorage;
  } catch {
    return null;
  }
}

export function readText(key: StorageKey, area: StorageArea = 'local'): string | null {
  try {
    return stepsInMemory.get(key) ?? browserStorage(area)?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Returns false if the storage is full or forbidden. */
export function writeText(key: StorageKey, value: string, area: StorageArea = 'local'): boolean {
  let isStored = false;
  try {
    const storage = browserStorage(area);
    storage?.setItem(key, value);
    isStored = storage !== null;
  } catch {
    // Reported below.
  }
  keepInMemory(key, isStored ? null : value);
  return isStored;
}

export function removeKey(key: StorageKey, area: StorageArea = 'local'): void {
  keepInMemory(key, null);
  try {
    browserStorage(area)?.removeItem(key);
  } catch {
    // The storage is forbidden, so there is nothing to remove.
  }
}

/** Returns a stored JSON value, or null. The caller checks its type. */
export function readJson(key: StorageKey, area: StorageArea = 'local'): unknown {
  const text = readText(key, area);
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Returns false if the storage is full or forbidden. */
export function writeJson(key: StorageKey, value: unknown, area: StorageArea = 'local'): boolean {
  return writeText(key, JSON.stringify(value), area);
}

/** Returns true if an earlier version has left data. */
export function hasLegacyKeys(): boolean {
  return LEGACY_KEYS.some((key) => readText(key) !== null);
}
