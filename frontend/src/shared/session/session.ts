import type { User } from '@/api/types';
import { isInterfaceLanguage } from '@/shared/i18n/language';
import { chooseLanguage, languageView } from '@/shared/preferences';
import { readJson, readText, remove, writeJson, writeText } from '@/shared/storage';
import { createStore, useStore } from '@/shared/store';

import { browserId, guestId, isShared, renewGuest } from './browserSession';

export interface Session {
  token: string;
  user: User;
  /** True if the session is kept after the browser is closed (*Remember me*). */
  remembered: boolean;
}

function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && '_id' in value && 'role' in value;
}

/** Returns the stored session. One that is not remembered and belongs to an earlier browser session is removed. */
function restore(): Session | null {
  const token = readText('token');
  const user = readJson('user');
  const browser = readText('sessionBrowser');
  if (!token || !isUser(user)) return null;
  if (browser === null || browser === browserId()) return { token, user, remembered: browser === null };
  // Without cookies each tab has its own id, so another tab may still use the session.
  if (isShared()) forgetSession();
  return null;
}

/** Takes over a session that an earlier version stored for one tab only. */
function moveTabSession(): void {
  const token = readText('token', 'session');
  const user = readJson('user', 'session');
  for (const key of ['token', 'role', 'user'] as const) remove(key, 'session');
  if (token && isUser(user) && !restore()) store({ token, user, remembered: false });
}

/** Switches to the language of the account, so that a user has the same language on every device. */
function speakLanguageOf(user: User): void {
  if (isInterfaceLanguage(user.language) && user.language !== languageView.get())
    chooseLanguage(user.language);
}

/** The data of a user that is not in `shared/personal`: where they were, and codes that they wait for. */
const TRACES = ['currentDocument', 'returnUrl', 'userId', 'newEmail', 'changeEmail'] as const;

function forgetTraces(): void {
  for (const key of TRACES) remove(key);
  remove('saveAfterLogin', 'session');
}

function forgetSession(): void {
  // The token goes first and comes last, so that no other tab reads it with the data of another user.
  for (const key of ['token', 'role', 'user', 'sessionBrowser'] as const) remove(key);
}

/** Stores a session. Returns false if the browser refuses, so that the session ends with this page. */
function store({ token, user, remembered }: Session): boolean {
  writeText('role', user.role);
  writeJson('user', user);
  if (remembered) remove('sessionBrowser');
  else writeText('sessionBrowser', browserId());
  kept = writeText('token', token);
  return kept;
}

/** False if the browser refuses to store the session, so that it exists only in this page. */
let kept = true;
moveTabSession();
const session = createStore<Session | null>(restore());
/** True if the server has refused the token. The page stays as it is until the next login. */
const ended = createStore(false);
/** The URL at which the last user has left. */
let leftAt: string | null = null;
/** The number of users who have left this page. A change creates all screens anew. */
const departures = createStore(0);

/** A change of the user: from a guest (null) or a user to another. */
export interface IdentityChange {
  from: string | null;
  to: string | null;
}

const onIdentity = new Set<(change: IdentityChange) => void>();
const onStart = new Set<(userId: string) => void>();
const onLogout = new Set<(left: { user: string | null; guest: string }) => void>();

/** Calls `handle` when another user, or a guest, uses this page from now on. */
export function whenIdentityChanges(handle: (change: IdentityChange) => void): void {
  onIdentity.add(handle);
}

/** Calls `forget` when a user leaves this page to a guest or to another user. */
export function whenUserLeaves(forget: () => void): void {
  onIdentity.add(({ from }) => {
    if (from !== null) forget();
  });
}

/** Calls `handle` after each login in this tab, also after one of the same user. */
export function whenSessionStarts(handle: (userId: string) => void): void {
  onStart.add(handle);
}

/** Calls `erase` with the ids of the user and the guest whose data a logout deletes. */
export function whenLoggedOut(erase: (left: { user: string | null; guest: string }) => void): void {
  onLogout.add(erase);
}

function become(next: Session | null): void {
  const from = session.get()?.user._id ?? null;
  const to = next?.user._id ?? null;
  session.set(next);
  if (from === to) return;
  if (from !== null) {
    leftAt = window.location.href;
    departures.set(departures.get() + 1);
  }
  onIdentity.forEach((handle) => handle({ from, to }));
}

/** Returns true if a user has left at this URL: a login does not lead back to it. */
export function hasLeftHere(): boolean {
  return leftAt === window.location.href;
}

/** Returns a number that changes when a user leaves: the key of everything that shows their data. */
export function useDepartures(): number {
  return useStore(departures);
}

export function currentSession(): Session | null {
  return session.get();
}

export function useSession(): Session | null {
  return useStore(session);
}

/** Returns false if the browser refuses to store the session, so that it ends with this page. */
export function isSessionKept(): boolean {
  return kept;
}

export function useSessionEnded(): boolean {
  return useStore(ended);
}

/**
 * Starts a session in all tabs. A remembered session survives the browser; any other ends with it (design §3).
 * Returns false if the browser refuses to store it.
 */
export function startSession(token: string, user: User, remember: boolean): boolean {
  const before = session.get()?.user._id;
  if (before !== undefined && before !== user._id) forgetTraces();
  forgetSession();
  const started: Session = { token, user, remembered: remember };
  const stored = store(started);
  become(started);
  onStart.forEach((handle) => handle(user._id));
  ended.set(false);
  farewell.set(false);
  speakLanguageOf(user);
  return stored;
}

/** Returns true unless another tab has started or ended a session meanwhile, and its event has not arrived yet. */
function isCurrent({ token }: Session): boolean {
  return !kept || readText('token') === token;
}

/** Stores the successor of a token, unless another token is in use by now, for example after another login. */
export function renewToken(renewed: string, sent: string): void {
  const now = session.get();
  if (now?.token !== sent || !isCurrent(now)) return;
  writeText('token', renewed);
  session.set({ ...now, token: renewed });
}

/**
 * Stores the user's current data, with a new token if all earlier ones have ended. Data of a user who has left are
 * ignored.
 */
export function updateSession(user: User, token?: string): void {
  const now = session.get();
  if (now?.user._id !== user._id || !isCurrent(now)) return;
  const updated = { ...now, user, token: token ?? now.token };
  store(updated);
  session.set(updated);
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

/**
 * Drops the session, to continue as a guest. What the user has typed stays on the device for their next login, but no
 * guest sees it.
 */
export function dropSession(): void {
  const leaving = session.get() !== null;
  forgetSession();
  if (leaving) {
    forgetTraces();
    renewGuest();
  }
  become(null);
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
 * Ends the session in all tabs and deletes what the user and the guest have typed. Language and country stay
 * (design §3).
 */
export function logOut(): void {
  const left = { user: session.get()?.user._id ?? null, guest: guestId() };
  dropSession();
  forgetTraces();
  onLogout.forEach((erase) => erase(left));
}

/** Follows other tabs: a login, a logout or a renewed token there applies here too. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea !== window.localStorage || (key !== null && key !== 'token' && key !== 'user')) return;
    const now = session.get();
    const stored = restore();
    if (stored?.token !== now?.token) ended.set(false);
    if (stored || now) become(stored);
  });
}
