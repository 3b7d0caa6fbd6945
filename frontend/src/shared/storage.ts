/**
 * The browser's synchronous storage, with the keys of the specification (§3). It keeps the session and small
 * settings. What users type is in `shared/personal`. A forbidden storage counts as empty.
 */

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
  | 'languageView'
  | 'languageCode'
  | 'country'
  | OldKey;

/** Keys of earlier versions, whose values had no owner. */
const OLD_KEYS = [
  'adminDocument',
  'templateDraft',
  'values',
  'knownAnswers',
  'supportMessage',
  'waitingSaves',
] as const;
export type OldKey = (typeof OLD_KEYS)[number];

export type Place = 'local' | 'session';

function area(place: Place): Storage | null {
  try {
    return place === 'local' ? window.localStorage : window.sessionStorage;
  } catch {
    return null;
  }
}

export function readText(key: StorageKey, place: Place = 'local'): string | null {
  try {
    return area(place)?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Returns false if the storage is full or forbidden. */
export function writeText(key: StorageKey, value: string, place: Place = 'local'): boolean {
  try {
    const storage = area(place);
    storage?.setItem(key, value);
    return storage !== null;
  } catch {
    return false;
  }
}

export function remove(key: StorageKey, place: Place = 'local'): void {
  try {
    area(place)?.removeItem(key);
  } catch {
    // The storage is forbidden, so there is nothing to remove.
  }
}

/** Returns a stored JSON value, or null. The caller checks its type. */
export function readJson(key: StorageKey, place: Place = 'local'): unknown {
  const text = readText(key, place);
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Returns false if the storage is full or forbidden. */
export function writeJson(key: StorageKey, value: unknown, place: Place = 'local'): boolean {
  return writeText(key, JSON.stringify(value), place);
}

/** Returns true if an earlier version has left data. */
export function hasOldKeys(): boolean {
  return OLD_KEYS.some((key) => readText(key) !== null);
}
