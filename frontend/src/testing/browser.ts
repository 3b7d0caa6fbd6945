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

/** Installs a `window` with empty storage. `fromOtherTab` simulates the actions of other tabs. */
export function openTab() {
  const listeners = new Set<(event: StorageEvent) => void>();
  const localStorage = new MemoryStorage();
  const sessionStorage = new MemoryStorage();
  vi.stubGlobal('window', {
    localStorage,
    sessionStorage,
    location: { origin: 'https://waraq.example' },
    addEventListener: (_: string, listener: (event: StorageEvent) => void) => listeners.add(listener),
  });
  const fromOtherTab = (key: string, value: string | null) => {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    for (const listener of listeners) listener({ key, storageArea: localStorage } as unknown as StorageEvent);
  };
  return { localStorage, sessionStorage, fromOtherTab };
}
