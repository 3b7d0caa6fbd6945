import { readText, writeText } from '@/shared/storage';

/**
 * A session cookie with two random ids: of the browser session, and of the guest. It ends with the browser, and all
 * tabs share it. The server does not use it.
 */
const COOKIE_NAME = 'waraq-session';

interface SessionIds {
  browser: string;
  guest: string;
}

function parseIds(text: string | null | undefined): SessionIds | null {
  const [browser, guest] = (text ?? '').split('.');
  return browser && guest ? { browser, guest } : null;
}

function readCookie(): SessionIds | null {
  try {
    const pair = document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE_NAME}=`));
    return parseIds(pair?.slice(COOKIE_NAME.length + 1));
  } catch {
    return null;
  }
}

/** The ids of this tab if the browser accepts no cookies. */
let idsOfThisTab: SessionIds | null = null;

function storeIds(ids: SessionIds): void {
  const text = `${ids.browser}.${ids.guest}`;
  try {
    const secure = window.location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${COOKIE_NAME}=${text}; Path=/; SameSite=Strict${secure}`;
  } catch {
    // The browser accepts no cookies.
  }
  if (readCookie()) return;
  idsOfThisTab = ids;
  writeText('browserSession', text, 'session');
}

function sessionIds(): SessionIds {
  const stored = readCookie() ?? idsOfThisTab ?? parseIds(readText('browserSession', 'session'));
  if (stored) return stored;
  const created = { browser: crypto.randomUUID(), guest: crypto.randomUUID() };
  storeIds(created);
  return created;
}

/** Returns the id of the browser session. */
export function browserId(): string {
  return sessionIds().browser;
}

/** Returns the id of the guest who uses this browser session. */
export function guestId(): string {
  return sessionIds().guest;
}

/** Creates a new guest id after a user has left, so that the next guest is another one. */
export function renewGuestId(): void {
  storeIds({ browser: browserId(), guest: crypto.randomUUID() });
}

/** Returns true if all tabs have the same ids. */
export function areIdsShared(): boolean {
  sessionIds();
  return readCookie() !== null;
}
