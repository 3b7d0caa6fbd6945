import type { User } from '@/api/types';
import { LOGIN_PATH } from '@/shared/paths';
import { readText, removeKey, writeText } from '@/shared/storage';

/**
 * Returns the path of `url` if it is in this application, else null, so that a link cannot redirect elsewhere after
 * the login.
 */
export function sameOriginPath(url: string | null, origin: string): string | null {
  if (!url || !url.startsWith('/')) return null;
  try {
    const target = new URL(url, origin);
    if (target.origin !== origin || target.username || target.password) return null;
    const path = target.pathname + target.search + target.hash;
    // `/.//elsewhere` resolves to a path that begins with two slashes, which a browser would treat as a host.
    if (path.startsWith('//') || target.pathname === LOGIN_PATH) return null;
    return path;
  } catch {
    return null;
  }
}

/** The areas of admins, which do not exist for other users (specification §2). */
const ADMIN_PATH = /^\/(documents|messages|users|account-setting)(?![^/?#])/;

/** Returns true if a user with this role can open a path. */
export function canOpen(path: string, role: User['role']): boolean {
  return role === 'admin' || !ADMIN_PATH.test(path);
}

export function storeReturnUrl(path: string): void {
  writeText('returnUrl', path);
}

/** Returns the target after the login, and clears it. */
export function takeReturnUrl(): string | null {
  const stored = readText('returnUrl');
  removeKey('returnUrl');
  return sameOriginPath(stored, window.location.origin);
}

/** Clears the target for a user who continues as a guest. */
export function clearReturnUrl(): void {
  removeKey('returnUrl');
}
