import { readText, writeText } from '@/shared/storage';

/**
 * A session cookie with two random ids: of the browser session, and of the guest. It ends with the browser, and all
 * tabs share it. It identifies nothing on the server.
 */
const COOKIE = 'waraq-session';

interface Ids {
  browser: string;
  guest: string;
}

function parse(text: string | null | undefined): Ids | null {
  const [browser, guest] = (text ?? '').split('.');
  return browser && guest ? { browser, guest } : null;
}

function readCookie(): Ids | null {
  try {
    const pair = document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE}=`));
    return parse(pair?.slice(COOKIE.length + 1));
  } catch {
    return null;
  }
}

/** The ids of this tab if the browser accepts no cookies. */
let ofThisTab: Ids | null = null;

function write(ids: Ids): void {
  const text = `${ids.browser}.${ids.guest}`;
  try {
    const secure = window.location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${COOKIE}=${text}; Path=/; SameSite=Strict${secure}`;
  } catch {
    // The browser accepts no cookies.
  }
  if (readCookie()) return;
  ofThisTab = ids;
  writeText('browserSession', text, 'session');
}

function ids(): Ids {
  const known = readCookie() ?? ofThisTab ?? parse(readText('browserSession', 'session'));
  if (known) return known;
  const made = { browser: crypto.randomUUID(), guest: crypto.randomUUID() };
  write(made);
  return made;
}

/** Returns the id of the browser session. */
export function browserId(): string {
  return ids().browser;
}

/** Returns the id of the guest who uses this browser session. */
export function guestId(): string {
  return ids().guest;
}

/** Makes the next guest another one, after a user has left. */
export function renewGuest(): void {
  write({ browser: browserId(), guest: crypto.randomUUID() });
}

/** Returns true if all tabs have the same ids. */
export function isShared(): boolean {
  ids();
  return readCookie() !== null;
}
