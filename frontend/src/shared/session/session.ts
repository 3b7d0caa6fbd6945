import type { User } from '@/api/types';
import { isInterfaceLanguage } from '@/shared/i18n/language';
import { chooseLanguage, interfaceLanguageStore } from '@/shared/preferences';
import { readJson, readText, removeKey, writeJson, writeText } from '@/shared/storage';
import { createStore, useStore } from '@/shared/store';

import { browserId, guestId, areIdsShared, renewGuestId } from './browserSession';

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
function readStoredSession(): Session | null {
  const token = readText('token');
  const user = readJson('user');
  const browser = readText('sessionBrowser');
  if (!token || !isUser(user)) return null;
  if (browser === null || browser === browserId()) return { token, user, remembered: browser === null };
  // Without cookies each tab has its own id, so another tab may still use the session.
  if (areIdsShared()) removeStoredSession();
  return null;
}

/** Takes over a session that an earlier version stored for one tab only. */
function migrateTabSession(): void {
  const token = readText('token', 'session');
  const user = readJson('user', 'session');
  for (const key of ['token', 'role', 'user'] as const) removeKey(key, 'session');
  if (token && isUser(user) && !readStoredSession()) storeSession({ token, user, remembered: false });
}

/** Switches to the language of the account, so that a user has the same language on every device. */
function applyAccountLanguage(user: User): void {
  if (isInterfaceLanguage(user.language) && user.language !== interfaceLanguageStore.get())
    chooseLanguage(user.language);
}

/** The keys of user data that is not in `shared/personal`: the last document and URL, and pending verifications. */
const USER_KEYS = ['currentDocument', 'returnUrl', 'userId', 'newEmail', 'changeEmail'] as const;

function removeUserKeys(): void {
  for (const key of USER_KEYS) removeKey(key);
  removeKey('saveAfterLogin', 'session');
}

function removeStoredSession(): void {
  // The token is removed first and stored last, so that no other tab reads it with the data of another user.
  for (const key of ['token', 'role', 'user', 'sessionBrowser'] as const) removeKey(key);
}

/** Stores a session. Returns false if the browser refuses, so that the session ends with this page. */
function storeSession({ token, user, remembered }: Session): boolean {
  writeText('role', user.role);
  writeJson('user', user);
  if (remembered) removeKey('sessionBrowser');
  else writeText('sessionBrowser', browserId());
  isStored = writeText('token', token);
  return isStored;
}

/** False if the browser refuses to store the session, so that it exists only in this page. */
let isStored = true;
migrateTabSession();
const currentSessionStore = createStore<Session | null>(readStoredSession());
/** True if the server has refused the token. The page stays open until the next login. */
const sessionEndedStore = createStore(false);
/** The URL at which the last user has left. */
let urlOfLastDeparture: string | null = null;
/** The number of users who have left this page. A change creates all screens again. */
const departureCount = createStore(0);

/** A change of the user: from a guest (null) or a user to another. */
export interface IdentityChange {
  from: string | null;
  to: string | null;
}

const identityListeners = new Set<(change: IdentityChange) => void>();
const startListeners = new Set<(userId: string) => void>();

/** What a logout leaves behind. */
interface Logout {
  /** The ids of the user and the guest whose data are deleted. */
  user: string | null;
  guest: string;
  /** The token of the session; null if the server refuses it already. */
  token: string | null;
}
const logoutListeners = new Set<(left: Logout) => void>();

/** Calls `listener` when another user, or a guest, starts to use this page. */
export function onIdentityChange(listener: (change: IdentityChange) => void): void {
  identityListeners.add(listener);
}

/** Calls `listener` when a user leaves this page to a guest or to another user. */
export function onUserLeave(listener: () => void): void {
  identityListeners.add(({ from }) => {
    if (from !== null) listener();
  });
}

/** Calls `listener` after each login in this tab, also after one of the same user. */
export function onSessionStart(listener: (userId: string) => void): void {
  startListeners.add(listener);
}

/** Calls `listener` after each logout in this tab. */
export function onLogout(listener: (left: Logout) => void): void {
  logoutListeners.add(listener);
}

function switchSession(next: Session | null): void {
  const from = currentSessionStore.get()?.user._id ?? null;
  const to = next?.user._id ?? null;
  currentSessionStore.set(next);
  if (from === to) return;
  if (from !== null) {
    urlOfLastDeparture = window.location.href;
    departureCount.set(departureCount.get() + 1);
  }
  identityListeners.forEach((handle) => handle({ from, to }));
}

/** Returns true if a user has left the page at this URL; then a login does not lead back to it. */
export function hasUserLeftThisUrl(): boolean {
  return urlOfLastDeparture === window.location.href;
}

/** Returns a number that changes when a user leaves. It is the key of components that show user data. */
export function useDepartureCount(): number {
  return useStore(departureCount);
}

export function currentSession(): Session | null {
  return currentSessionStore.get();
}

export function useSession(): Session | null {
  return useStore(currentSessionStore);
}

/** Returns false if the browser refuses to store the session, so that it ends with this page. */
export function isSessionStored(): boolean {
  return isStored;
}

export function useSessionEnded(): boolean {
  return useStore(sessionEndedStore);
}

/**
 * Starts a session in all tabs. A remembered session survives the browser; any other ends with it (design §3).
 * Returns false if the browser refuses to store it.
 */
export function startSession(token: string, user: User, remember: boolean): boolean {
  const previousUserId = currentSessionStore.get()?.user._id;
  if (previousUserId !== undefined && previousUserId !== user._id) removeUserKeys();
  removeStoredSession();
  const started: Session = { token, user, remembered: remember };
  const stored = storeSession(started);
  switchSession(started);
  startListeners.forEach((handle) => handle(user._id));
  sessionEndedStore.set(false);
  accountDeletedStore.set(false);
  applyAccountLanguage(user);
  return stored;
}

/** Returns true unless another tab has started or ended a session meanwhile, and its event has not arrived yet. */
function isUpToDate({ token }: Session): boolean {
  return !isStored || readText('token') === token;
}

/** Stores the successor of a token, unless another token is in use by now, for example after another login. */
export function renewToken(newToken: string, oldToken: string): void {
  const current = currentSessionStore.get();
  if (current?.token !== oldToken || !isUpToDate(current)) return;
  writeText('token', newToken);
  currentSessionStore.set({ ...current, token: newToken });
}

/**
 * Stores the user's current data, with a new token if all earlier ones have ended. Data of a user who has left are
 * ignored.
 */
export function updateSession(user: User, token?: string): void {
  const current = currentSessionStore.get();
  if (current?.user._id !== user._id || !isUpToDate(current)) return;
  const updated = { ...current, user, token: token ?? current.token };
  storeSession(updated);
  currentSessionStore.set(updated);
  // The language was changed here or on another device.
  if (user.language !== current.user.language) applyAccountLanguage(user);
}

export function markSessionEnded(sent: string): void {
  if (currentSessionStore.get()?.token === sent) sessionEndedStore.set(true);
}

/** Postpones the new login: the page stays, and the next refusal asks again. */
export function postponeLogin(): void {
  sessionEndedStore.set(false);
}

/**
 * Drops the session, to continue as a guest. What the user has typed stays on the device for their next login, but no
 * guest sees it.
 */
export function dropSession(): void {
  const leaving = currentSessionStore.get() !== null;
  removeStoredSession();
  if (leaving) {
    removeUserKeys();
    renewGuestId();
  }
  switchSession(null);
  sessionEndedStore.set(false);
}

/** True after the user has deleted their account, until the notice is closed. */
const accountDeletedStore = createStore(false);

export function useAccountDeleted(): boolean {
  return useStore(accountDeletedStore);
}

export function dismissAccountDeleted(): void {
  accountDeletedStore.set(false);
}

/** Logs out after the deletion of the account, and clears its data in this browser. */
export function logOutAfterDeletion(): void {
  accountDeletedStore.set(true);
  sessionEndedStore.set(true);
  logOut();
}

/**
 * Ends the session in all tabs and deletes what the user and the guest have typed. Language and country stay
 * (design §3).
 */
export function logOut(): void {
  const current = currentSessionStore.get();
  const token = sessionEndedStore.get() ? null : (current?.token ?? null);
  const left = { user: current?.user._id ?? null, guest: guestId(), token };
  dropSession();
  removeUserKeys();
  logoutListeners.forEach((erase) => erase(left));
}

/** Follows other tabs: a login, a logout or a renewed token there applies here too. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea !== window.localStorage || (key !== null && key !== 'token' && key !== 'user')) return;
    const current = currentSessionStore.get();
    const stored = readStoredSession();
    if (stored?.token !== current?.token) sessionEndedStore.set(false);
    if (stored || current) switchSession(stored);
  });
}
