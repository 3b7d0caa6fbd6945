import 'fake-indexeddb/auto';

import { IDBFactory } from 'fake-indexeddb';
import { vi } from 'vitest';

/** A browser's storage for tests without a browser. */
class MemoryStorage implements Storage {
  private readonly values = new Map<string, string>();

  get length(): number {
    return this.values.size;
  }
  key(index: number): string | null {
    return [...this.values.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
  clear(): void {
    this.values.clear();
  }
  keys(): string[] {
    return [...this.values.keys()].sort();
  }
}

/** Session cookies. Closing the browser clears them. */
class CookieJar {
  private readonly cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  set cookie(text: string) {
    const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=');
    this.cookies.set(name, value);
  }
  clear(): void {
    this.cookies.clear();
  }
}

const { BroadcastChannel: RealChannel } = globalThis;
let channels: BroadcastChannel[] = [];

/** A channel that the next test closes, because each test simulates its own browser. */
class TestChannel extends RealChannel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
}

/**
 * Installs a `window` with empty storage, cookies and database. `changeInOtherTab` simulates the actions of other
 * tabs, and `openNewTab` opens another tab of the same browser.
 */
export function openTestTab() {
  const listeners = new Set<(event: StorageEvent) => void>();
  const localStorage = new MemoryStorage();
  const cookies = new CookieJar();
  const install = (sessionStorage: MemoryStorage) => {
    vi.stubGlobal('window', {
      localStorage,
      sessionStorage,
      location: { origin: 'https://waraq.example', protocol: 'https:' },
      addEventListener: (_: string, listener: (event: StorageEvent) => void) => listeners.add(listener),
    });
    return sessionStorage;
  };
  channels.forEach((channel) => channel.close());
  channels = [];
  vi.stubGlobal('BroadcastChannel', TestChannel);
  vi.stubGlobal('document', cookies);
  vi.stubGlobal('indexedDB', new IDBFactory());
  const sessionStorage = install(new MemoryStorage());
  const changeInOtherTab = (key: string, value: string | null) => {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    for (const listener of listeners) listener({ key, storageArea: localStorage } as unknown as StorageEvent);
  };
  return {
    localStorage,
    sessionStorage,
    cookies,
    changeInOtherTab,
    openNewTab: () => install(new MemoryStorage()),
    /** Shows an earlier tab again. */
    showTab: install,
  };
}
