import type { User } from '@/api/types';
import { isInterfaceLanguage } from '@/shared/i18n/language';
import { chooseLanguage, languageView } from '@/shared/preferences';
import { readJson, readText, remove, writeJson, writeText, type Place } from '@/shared/storage';
import { createStore, useStore } from '@/shared/store';

export interface Session {
  token: string;
  user: User;
  /** Kept when the tab closes? (*Remember me*) */
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

/** The account's language becomes the interface's: there is one choice of language, and it comes along to other machines. */
function speakLanguageOf(user: User): void {
  if (isInterfaceLanguage(user.language) && user.language !== languageView.get())
    chooseLanguage(user.language);
}

const session = createStore<Session | null>(restore());
/** The server has refused the token; the page stays as it is until somebody logs in again. */
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

/** Called after a logout: whatever else a logout has to forget. */
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

/** Remembered sessions outlive the tab, others end with it (design §3). */
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

/** The successor of a token, unless that token is no longer the session's: somebody else may have logged in since. */
export function renewToken(renewed: string, sent: string): void {
  const now = session.get();
  if (now?.token !== sent) return;
  writeText('token', renewed, now.place);
  session.set({ ...now, token: renewed });
}

/** What the server knows of the user now; with a token where all earlier ones have ended. */
export function updateSession(user: User, token?: string): void {
  const now = session.get();
  if (!now) return;
  if (token) writeText('token', token, now.place);
  writeText('role', user.role, now.place);
  writeJson('user', user, now.place);
  session.set({ ...now, user, token: token ?? now.token });
  // Changed since, here or on another machine.
  if (user.language !== now.user.language) speakLanguageOf(user);
}

export function markSessionEnded(sent: string): void {
  if (session.get()?.token === sent) ended.set(true);
}

/** The new login is put off: the page stays as it is, and the next refusal asks again. */
export function postponeLogin(): void {
  ended.set(false);
}

/** The session is dropped, what was entered stays: going on as a guest. */
export function dropSession(): void {
  forgetSession();
  session.set(null);
  ended.set(false);
}

/** The account of whoever was here is gone, by his own wish; said until he has read it. */
const farewell = createStore(false);

export function useFarewell(): boolean {
  return useStore(farewell);
}

export function farewellRead(): void {
  farewell.set(false);
}

/** The account is deleted: nothing of it stays here either. */
export function leaveForGood(): void {
  farewell.set(true);
  logOut();
}

/** Clears the session, the values, the drafts and what this browser remembers of a guest; language and country stay (design §3). */
export function logOut(): void {
  dropSession();
  for (const key of FORGOTTEN_AT_LOGOUT) remove(key);
  onLogout.forEach((forget) => forget());
}

/** A remembered session is one for all tabs: another tab's logout, login and renewed token are this one's too. */
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
