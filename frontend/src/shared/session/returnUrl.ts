import { readText, remove, writeText } from '@/shared/storage';

/** The path of `url` if it leads into this application, else null: a link must not send anybody elsewhere after login. */
export function ownPath(url: string | null, origin: string): string | null {
  if (!url || !url.startsWith('/')) return null;
  try {
    const target = new URL(url, origin);
    if (target.origin !== origin || target.username || target.password) return null;
    const path = target.pathname + target.search + target.hash;
    // `/.//elsewhere` resolves to a path that begins with two slashes, which a browser would take for a host.
    if (path.startsWith('//') || target.pathname === '/login') return null;
    return path;
  } catch {
    return null;
  }
}

export function storeReturnUrl(path: string): void {
  writeText('returnUrl', path);
}

/** Where to go after login; it is used once. */
export function takeReturnUrl(): string | null {
  const stored = readText('returnUrl');
  remove('returnUrl');
  return ownPath(stored, window.location.origin);
}

/** Whoever goes on as a guest is not to be led back later. */
export function forgetReturnUrl(): void {
  remove('returnUrl');
}
