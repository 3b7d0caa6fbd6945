import 'fake-indexeddb/auto';

import { IDBFactory } from 'fake-indexeddb';
import { vi } from 'vitest';

/** A browser's storage for tests without a browser. */
class MemoryStorage implements Storage {
  private readonly kept = new Map<string, string>();

  get length(): number {
    return this.kept.size;
  }
  key(index: number): string | null {
    return [...this.kept.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
  clear(): void {
    this.kept.clear();
  }
  keys(): string[] {
    return [...this.kept.keys()].sort();
  }
}

/** Session cookies. Closing the browser clears them. */
class CookieJar {
  private readonly kept = new Map<string, string>();

  get cookie(): string {
    return [...this.kept].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  set cookie(text: string) {
    const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=');
    this.kept.set(name, value);
  }
  clear(): void {
    this.kept.clear();
  }
}

const { BroadcastChannel: RealChannel } = globalThis;
let channels: BroadcastChannel[] = [];

/** Channels that the next test closes, because the tabs of a test belong to a browser of their own. */
class TestChannel extends RealChannel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
}

/**
 * Installs a `window` with empty storage, cookies and database. `fromOtherTab` simulates the actions of other tabs,
 * and `newTab` another tab of the same browser.
 */
export function openTab() {
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
  const fromOtherTab = (key: string, value: string | null) => {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    for (const listener of listeners) listener({ key, storageArea: localStorage } as unknown as StorageEvent);
  };
  return {
    localStorage,
    sessionStorage,
    cookies,
    fromOtherTab,
    newTab: () => install(new MemoryStorage()),
    /** Shows a tab of before again. */
    show: install,
  };
}
