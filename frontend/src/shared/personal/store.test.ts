import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { openTab } from '@/testing/browser';

const day = 86_400_000;

/** Loads the store as in a newly opened tab. */
async function opened() {
  vi.resetModules();
  const store = await import('./store');
  await store.openStore();
  const write = (key: string, value: unknown) => store.change('draft', key, () => value);
  return { ...store, write };
}

function refuseWrites(name: string) {
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('', name);
  });
}

beforeEach(() => void openTab());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('an entry', () => {
  it('is read at once, and after a reload', async () => {
    const store = await opened();
    const stored = store.write('k', { a: 1 });
    expect(store.read('draft', 'k')).toEqual({ a: 1 });
    expect(await stored).toBe(true);
    expect((await opened()).read('draft', 'k')).toEqual({ a: 1 });
  });

  it('that is deleted stays deleted', async () => {
    const store = await opened();
    await store.write('k', 1);
    await store.write('k', null);
    expect([store.read('draft', 'k'), (await opened()).read('draft', 'k')]).toEqual([null, null]);
  });

  it('expires thirty days after its last change', async () => {
    const store = await opened();
    await store.write('old', 1);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 29 * day);
    await store.write('new', 2);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * day);
    expect([store.read('draft', 'old'), store.read('draft', 'new')]).toEqual([null, 2]);
    const later = await opened();
    expect(later.list('draft').map(({ key }) => key)).toEqual(['new']);
  });

  it('of another owner is not listed', async () => {
    const store = await opened();
    await store.change('draft', 'k', () => 1, 'user:a');
    expect([store.read('draft', 'k'), store.list('draft')]).toEqual([null, []]);
    expect(store.list('draft', 'user:a')).toHaveLength(1);
  });

  it('of an owner who is erased is gone, and no other', async () => {
    const store = await opened();
    await Promise.all([
      store.change('draft', 'k', () => 1, 'user:a'),
      store.change('save', 'k', () => 1, 'user:a'),
      store.change('draft', 'k', () => 2, 'user:b'),
    ]);
    store.eraseOwner('user:a');
    await store.change('draft', 'last', () => 3, 'user:b');
    const later = await opened();
    expect([later.list('draft', 'user:a'), later.list('save', 'user:a')]).toEqual([[], []]);
    expect(later.read('draft', 'k', 'user:b')).toBe(2);
  });
});

describe('a page that is left', () => {
  it('hands what is not stored yet to the next page', async () => {
    const store = await opened();
    await store.write('k', 'stored');
    // The browser aborts transactions of a page that is left.
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('', 'InvalidStateError');
    });
    const lost = store.write('k', 'typed last');
    store.keepNow();
    await lost;
    vi.restoreAllMocks();
    expect((await opened()).read('draft', 'k')).toBe('typed last');
    expect(window.localStorage.length).toBe(0);
  });

  it('hands a deletion to it too', async () => {
    const store = await opened();
    await store.change('draft', 'k', () => 'of A', 'user:a');
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('', 'InvalidStateError');
    });
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('', 'InvalidStateError');
    });
    const deleted = store.change('draft', 'k', () => null, 'user:a');
    store.keepNow();
    await deleted;
    vi.restoreAllMocks();
    expect((await opened()).read('draft', 'k', 'user:a')).toBeNull();
  });

  it('leaves nothing of an owner who is erased, and nothing older than what is stored', async () => {
    const store = await opened();
    const writing = [store.change('draft', 'k', () => 1, 'user:a'), store.write('k', 'old')];
    store.keepNow();
    await Promise.all(writing);
    await store.write('k', 'new');
    store.eraseOwner('user:a');
    const later = await opened();
    expect([later.read('draft', 'k', 'user:a'), later.read('draft', 'k')]).toEqual([null, 'new']);
  });
});

describe('several tabs', () => {
  it('see each other’s changes, and neither overwrites the other', async () => {
    const [one, other] = [await opened(), await opened()];
    const heard = vi.fn();
    one.whenChanged(heard);
    const add = (name: string) => (now: unknown) => ({ ...(now as object | null), [name]: 1 });
    await Promise.all([one.change('draft', 'k', add('one')), other.change('draft', 'k', add('other'))]);
    await vi.waitFor(() => {
      for (const tab of [one, other]) expect(tab.read('draft', 'k')).toEqual({ one: 1, other: 1 });
    });
    expect(heard).toHaveBeenCalledWith(expect.objectContaining({ key: 'k', elsewhere: true }));
    expect((await opened()).read('draft', 'k')).toEqual({ one: 1, other: 1 });
  });

  it('end in the same state after many changes', async () => {
    const [one, other] = [await opened(), await opened()];
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? one : other).change('draft', 'k', (now) => Number(now ?? 0) + 1),
      ),
    );
    await vi.waitFor(() => expect([one.read('draft', 'k'), other.read('draft', 'k')]).toEqual([40, 40]));
  });
});

describe('a browser that keeps nothing', () => {
  it.each([
    ['QuotaExceededError', 'full'],
    ['UnknownError', 'refused'],
  ])('is reported at once (%s), with what was typed', async (name, why) => {
    const store = await opened();
    const refusing = refuseWrites(name);
    expect(await store.write('k', { a: 'typed' })).toBe(false);
    expect(store.trouble.get()).toBe(why);
    expect(store.read('draft', 'k')).toEqual({ a: 'typed' });
    expect(store.lostEntries().map(({ key }) => key)).toEqual(['k']);
    refusing.mockRestore();
    expect(await store.retry()).toBe(true);
    expect([store.trouble.get(), (await opened()).read('draft', 'k')]).toEqual([null, { a: 'typed' }]);
  });

  it('for a moment only loses none of several changes', async () => {
    const store = await opened();
    const add = (name: string) => (now: unknown) => ({ ...(now as object | null), [name]: 1 });
    const refusing = refuseWrites('UnknownError').mockImplementationOnce(() => {
      throw new DOMException('', 'UnknownError');
    });
    const first = store.change('draft', 'k', add('first'));
    const second = store.change('draft', 'k', add('second'));
    void first.then(() => refusing.mockRestore());
    await Promise.all([first, second]);
    await store.retry();
    expect(store.read('draft', 'k')).toEqual({ first: 1, second: 1 });
    expect((await opened()).read('draft', 'k')).toEqual({ first: 1, second: 1 });
  });

  it('is reported too if it has no database at all', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const store = await opened();
    expect(store.trouble.get()).toBeNull();
    expect(await store.write('k', 1)).toBe(false);
    expect([store.trouble.get(), store.read('draft', 'k')]).toEqual(['refused', 1]);
    await store.write('k', null);
    expect(store.trouble.get()).toBeNull();
  });

  it('and does not answer is given up after three seconds', async () => {
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
