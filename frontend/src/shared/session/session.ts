import type { User } from '@/api/types';
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

const session = createStore<Session | null>(restore());
/** The server has refused the token; the page stays as it is until somebody logs in again. */
const ended = createStore(false);

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
}

export function renewToken(token: string): void {
  const now = session.get();
  if (!now) return;
  writeText('token', token, now.place);
  session.set({ ...now, token });
}

export function markSessionEnded(): void {
  if (session.get()) ended.set(true);
}

/** The session is dropped, what was entered stays: going on as a guest. */
export function dropSession(): void {
  forgetSession();
  session.set(null);
  ended.set(false);
}

/** Clears the session, the values and the drafts; language and country stay (design §3). */
export function logOut(): void {
  dropSession();
  for (const key of ['values', 'currentDocument', 'returnUrl'] as const) remove(key);
  onLogout.forEach((forget) => forget());
}
