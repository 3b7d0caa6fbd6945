/**
 * The browser's storage, with the keys of the specification (§3) and those of saving. A full or forbidden storage
 * counts as empty.
 */

export type StorageKey =
  | 'token'
  | 'role'
  | 'user'
  | 'returnUrl'
  | 'currentDocument'
  | 'adminDocument'
  | 'templateDraft'
  | 'values'
  | 'knownAnswers'
  | 'supportMessage'
  | 'userId'
  | 'newEmail'
  | 'changeEmail'
  | 'waitingSaves'
  | 'saveAfterLogin'
  | 'languageView'
  | 'languageCode'
  | 'country';

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

export function writeText(key: StorageKey, value: string, place: Place = 'local'): void {
  try {
    area(place)?.setItem(key, value);
  } catch {
    // The storage is full or forbidden; the page works without it.
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

export function writeJson(key: StorageKey, value: unknown, place: Place = 'local'): void {
  writeText(key, JSON.stringify(value), place);
}
