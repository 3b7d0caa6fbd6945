import type { User } from '@/api/types';
import { isInterfaceLanguage } from '@/shared/i18n/language';
import { chooseLanguage, languageView } from '@/shared/preferences';
import { readJson, readText, remove, writeJson, writeText, type Place } from '@/shared/storage';
import { createStore, useStore } from '@/shared/store';

export interface Session {
  token: string;
  user: User;
  /** The storage of the session: kept after the tab is closed (*Remember me*), or not. */
  place: Place;
}

function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && '_id' in value && 'role' in value;
}

function restore(): Session | null {
  for (const place of ['session', 'local'] as const) {
    const token = readText('token', place);
    const user = readJson('user', place);
    if (token && isUser(user)) return { token, user, place };
  }
  return null;
}

/** Switches to the language of the account, so that a user has the same language on every device. */
function speakLanguageOf(user: User): void {
  if (isInterfaceLanguage(user.language) && user.language !== languageView.get())
    chooseLanguage(user.language);
}

const session = createStore<Session | null>(restore());
/** True if the server has refused the token. The page stays as it is until the next login. */
const ended = createStore(false);

const FORGOTTEN_AT_LOGOUT = [
  'values',
  'knownAnswers',
  'supportMessage',
  'currentDocument',
  'adminDocument',
  'templateDraft',
  'returnUrl',
  'userId',
  'newEmail',
  'changeEmail',
  'waitingSaves',
] as const;

/** Handlers that clear further data after a logout. */
const onLogout = new Set<() => void>();

export function whenLoggedOut(forget: () => void): void {
  onLogout.add(forget);
}

function forgetSession(): void {
  for (const place of ['session', 'local'] as const) {
    for (const key of ['token', 'role', 'user'] as const) remove(key, place);
  }
}

export function currentSession(): Session | null {
  return session.get();
}

export function useSession(): Session | null {
  return useStore(session);
}

export function useSessionEnded(): boolean {
  return useStore(ended);
}

/** Starts a session. A remembered session survives the tab; any other ends with it (design §3). */
export function startSession(token: string, user: User, remember: boolean): void {
  forgetSession();
  const place: Place = remember ? 'local' : 'session';
  writeText('token', token, place);
  writeText('role', user.role, place);
  writeJson('user', user, place);
  session.set({ token, user, place });
  ended.set(false);
  farewell.set(false);
  speakLanguageOf(user);
}

/** Stores the successor of a token, unless another token is in use by now, for example after another login. */
export function renewToken(renewed: string, sent: string): void {
  const now = session.get();
  if (now?.token !== sent) return;
  writeText('token', renewed, now.place);
  session.set({ ...now, token: renewed });
}

/** Stores the user's current data, with a new token if all earlier ones have ended. */
export function updateSession(user: User, token?: string): void {
  const now = session.get();
  if (!now) return;
  if (token) writeText('token', token, now.place);
  writeText('role', user.role, now.place);
  writeJson('user', user, now.place);
  session.set({ ...now, user, token: token ?? now.token });
  // The language was changed here or on another device.
  if (user.language !== now.user.language) speakLanguageOf(user);
}

export function markSessionEnded(sent: string): void {
  if (session.get()?.token === sent) ended.set(true);
}

/** Postpones the new login: the page stays, and the next refusal asks again. */
export function postponeLogin(): void {
  ended.set(false);
}

/** Drops the session and keeps all input, to continue as a guest. */
export function dropSession(): void {
  forgetSession();
  session.set(null);
  ended.set(false);
}

/** True after the user has deleted their account, until the notice is closed. */
const farewell = createStore(false);

export function useFarewell(): boolean {
  return useStore(farewell);
}

export function farewellRead(): void {
  farewell.set(false);
}

/** Logs out after the deletion of the account, and clears its data in this browser. */
export function leaveForGood(): void {
  farewell.set(true);
  logOut();
}

/**
 * Clears the session, the values, the drafts and a guest's saved answers. Language and country stay (design §3).
 */
export function logOut(): void {
  dropSession();
  for (const key of FORGOTTEN_AT_LOGOUT) remove(key);
  onLogout.forEach((forget) => forget());
}

/** Follows other tabs: a logout, login or renewed token there applies to a remembered session here too. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea !== window.localStorage || (key !== null && key !== 'token' && key !== 'user')) return;
    const now = session.get();
    if (now?.place === 'session') return;
    const stored = restore();
    if (stored?.token === now?.token && stored?.user._id === now?.user._id) {
      if (stored) session.set(stored);
      return;
    }
    session.set(stored);
    ended.set(false);
    if (now?.user._id !== stored?.user._id) onLogout.forEach((forget) => forget());
  });
}
