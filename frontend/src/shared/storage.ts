/** The browser's storage under the specification's keys (§3) and those of saving. Storage that is full or forbidden is as good as empty. */

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
    // full or forbidden: the page works on without it
  }
}

export function remove(key: StorageKey, place: Place = 'local'): void {
  try {
    area(place)?.removeItem(key);
  } catch {
    // nothing was kept
  }
}

/** What was kept as JSON, or null; the caller checks its shape. */
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
