import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { openTestTab } from '@/testing/browser';

const day = 86_400_000;

/** Loads the store as in a newly opened tab. */
async function openTab() {
  vi.resetModules();
  const store = await import('./store');
  await store.openStore();
  const write = (key: string, value: unknown) => store.changeEntry('draft', key, () => value);
  return { ...store, write };
}

function refuseWrites(name: string) {
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('', name);
  });
}

beforeEach(() => void openTestTab());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('an entry', () => {
  it('can be read at once, and after a reload', async () => {
    const store = await openTab();
    const stored = store.write('k', { a: 1 });
    expect(store.readEntry('draft', 'k')).toEqual({ a: 1 });
    expect(await stored).toBe(true);
    expect((await openTab()).readEntry('draft', 'k')).toEqual({ a: 1 });
  });

  it('that is deleted stays deleted', async () => {
    const store = await openTab();
    await store.write('k', 1);
    await store.write('k', null);
    expect([store.readEntry('draft', 'k'), (await openTab()).readEntry('draft', 'k')]).toEqual([null, null]);
  });

  it('expires thirty days after its last change', async () => {
    const store = await openTab();
    await store.write('old', 1);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 29 * day);
    await store.write('new', 2);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * day);
    expect([store.readEntry('draft', 'old'), store.readEntry('draft', 'new')]).toEqual([null, 2]);
    const later = await openTab();
    expect(later.listEntries('draft').map(({ key }) => key)).toEqual(['new']);
  });

  it('of another owner is not listed', async () => {
    const store = await openTab();
    await store.changeEntry('draft', 'k', () => 1, 'user:a');
    expect([store.readEntry('draft', 'k'), store.listEntries('draft')]).toEqual([null, []]);
    expect(store.listEntries('draft', 'user:a')).toHaveLength(1);
  });

  it('is deleted with its owner’s entries, and no other is', async () => {
    const store = await openTab();
    await Promise.all([
      store.changeEntry('draft', 'k', () => 1, 'user:a'),
      store.changeEntry('save', 'k', () => 1, 'user:a'),
      store.changeEntry('draft', 'k', () => 2, 'user:b'),
    ]);
    store.deleteEntriesOf('user:a');
    await store.changeEntry('draft', 'last', () => 3, 'user:b');
    const later = await openTab();
    expect([later.listEntries('draft', 'user:a'), later.listEntries('save', 'user:a')]).toEqual([[], []]);
    expect(later.readEntry('draft', 'k', 'user:b')).toBe(2);
  });
});

describe('a page that is left', () => {
  it('passes changes that are not stored yet to the next page', async () => {
    const store = await openTab();
    await store.write('k', 'stored');
    // The browser aborts transactions of a page that is left.
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('', 'InvalidStateError');
    });
    const lost = store.write('k', 'typed last');
    store.flushUnstored();
    await lost;
    vi.restoreAllMocks();
    expect((await openTab()).readEntry('draft', 'k')).toBe('typed last');
    expect(window.localStorage.length).toBe(0);
  });

  it('passes a deletion to the next page too', async () => {
    const store = await openTab();
    await store.changeEntry('draft', 'k', () => 'of A', 'user:a');
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('', 'InvalidStateError');
    });
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('', 'InvalidStateError');
    });
    const deleted = store.changeEntry('draft', 'k', () => null, 'user:a');
    store.flushUnstored();
    await deleted;
    vi.restoreAllMocks();
    expect((await openTab()).readEntry('draft', 'k', 'user:a')).toBeNull();
  });

  it('passes on no entry of a deleted owner, and none that is older than the stored one', async () => {
    const store = await openTab();
    const writing = [store.changeEntry('draft', 'k', () => 1, 'user:a'), store.write('k', 'old')];
    store.flushUnstored();
    await Promise.all(writing);
    await store.write('k', 'new');
    store.deleteEntriesOf('user:a');
    const later = await openTab();
    expect([later.readEntry('draft', 'k', 'user:a'), later.readEntry('draft', 'k')]).toEqual([null, 'new']);
  });
});

describe('several tabs', () => {
  it('see each other’s changes, and do not overwrite them', async () => {
    const [one, other] = [await openTab(), await openTab()];
    const heard = vi.fn();
    one.onEntryChange(heard);
    const add = (name: string) => (now: unknown) => ({ ...(now as object | null), [name]: 1 });
    await Promise.all([
      one.changeEntry('draft', 'k', add('one')),
      other.changeEntry('draft', 'k', add('other')),
    ]);
    await vi.waitFor(() => {
      for (const tab of [one, other]) expect(tab.readEntry('draft', 'k')).toEqual({ one: 1, other: 1 });
    });
    expect(heard).toHaveBeenCalledWith(expect.objectContaining({ key: 'k', elsewhere: true }));
    expect((await openTab()).readEntry('draft', 'k')).toEqual({ one: 1, other: 1 });
  });

  it('end in the same state after many changes', async () => {
    const [one, other] = [await openTab(), await openTab()];
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? one : other).changeEntry('draft', 'k', (now) => Number(now ?? 0) + 1),
      ),
    );
    await vi.waitFor(() =>
      expect([one.readEntry('draft', 'k'), other.readEntry('draft', 'k')]).toEqual([40, 40]),
    );
  });
});

describe('a browser that refuses to store', () => {
  it.each([
    ['QuotaExceededError', 'full'],
    ['UnknownError', 'refused'],
  ])('is reported at once (%s), with the entries concerned', async (name, why) => {
    const store = await openTab();
    const refusing = refuseWrites(name);
    expect(await store.write('k', { a: 'typed' })).toBe(false);
    expect(store.storageProblem.get()).toBe(why);
    expect(store.readEntry('draft', 'k')).toEqual({ a: 'typed' });
    expect(store.unstoredEntries().map(({ key }) => key)).toEqual(['k']);
    refusing.mockRestore();
    expect(await store.retryStoring()).toBe(true);
    expect([store.storageProblem.get(), (await openTab()).readEntry('draft', 'k')]).toEqual([
      null,
      { a: 'typed' },
    ]);
  });

  it('only for a moment loses no change', async () => {
    const store = await openTab();
    const add = (name: string) => (now: unknown) => ({ ...(now as object | null), [name]: 1 });
    const refusing = refuseWrites('UnknownError').mockImplementationOnce(() => {
      throw new DOMException('', 'UnknownError');
    });
    const first = store.changeEntry('draft', 'k', add('first'));
    const second = store.changeEntry('draft', 'k', add('second'));
    void first.then(() => refusing.mockRestore());
    await Promise.all([first, second]);
    await store.retryStoring();
    expect(store.readEntry('draft', 'k')).toEqual({ first: 1, second: 1 });
    expect((await openTab()).readEntry('draft', 'k')).toEqual({ first: 1, second: 1 });
  });

  it('is reported if it has no database', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const store = await openTab();
    expect(store.storageProblem.get()).toBeNull();
    expect(await store.write('k', 1)).toBe(false);
    expect([store.storageProblem.get(), store.readEntry('draft', 'k')]).toEqual(['refused', 1]);
    await store.write('k', null);
    expect(store.storageProblem.get()).toBeNull();
  });

  it('and does not respond is given up after three seconds', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('indexedDB', { open: () => new IDBOpenDBRequest() });
    vi.resetModules();
    const store = await import('./store');
    const ready = vi.fn();
    void store.openStore().then(ready);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ready).toHaveBeenCalled();
  });
});
