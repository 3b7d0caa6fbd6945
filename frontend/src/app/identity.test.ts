import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { User } from '@/api/types';
import { openTestTab } from '@/testing/browser';

// The toasts' style sheet needs a real document.
vi.mock('react-hot-toast', () => ({ default: {} }));

const amal = { _id: 'a', role: 'user', userName: 'Amal', email: 'amal@example.org' } as User;
const nour = { ...amal, _id: 'n', userName: 'Nour' };

let browser: ReturnType<typeof openTestTab>;
beforeEach(() => {
  browser = openTestTab();
});

/** Loads the modules as in a newly opened page of the current tab. */
async function openPage() {
  vi.resetModules();
  const [session, store, drafts, { queryClient }, waiting] = await Promise.all([
    import('@/shared/session/session'),
    import('@/shared/personal/store'),
    import('@/shared/drafts'),
    import('./queryClient'),
    import('@/shared/savedDocuments/pendingSaves'),
  ]);
  const { handleOwnerChanges } = await import('@/shared/personal/ownerChanges');
  session.followOtherTabs();
  handleOwnerChanges();
  await store.openStore();
  const typeName = (text: string, key = 't1') =>
    drafts.writeDraft(key, { ...drafts.EMPTY_DRAFT, values: { name: text } });
  /** Returns what the form of a template shows. */
  const shownName = (key = 't1') => drafts.readDraft(key)?.values['name'] ?? null;
  const cachedList = () => queryClient.getQueryData(['saved']) ?? null;
  const cacheList = (of: string) => queryClient.setQueryData(['saved'], of);
  return { ...session, ...store, ...drafts, ...waiting, typeName, shownName, cachedList, cacheList };
}

describe('a change from user A to a guest', () => {
  it('by “Continue without logging in”: the guest sees no data of A, and A finds it again', async () => {
    const page = await openPage();
    page.startSession('t', amal, false);
    await page.typeName('of A');
    page.cacheList('of A');
    page.dropSession();
    expect([page.shownName(), page.cachedList()]).toEqual([null, null]);
    const later = await openPage();
    expect(later.shownName()).toBeNull();
    later.startSession('t2', amal, false);
    expect(later.shownName()).toBe('of A');
  });

  it('by a logout: nothing of A is left on the device', async () => {
    const page = await openPage();
    page.startSession('t', amal, true);
    await page.typeName('of A');
    page.logOut();
    expect(page.shownName()).toBeNull();
    await vi.waitFor(async () => {
      const later = await openPage();
      later.startSession('t2', amal, true);
      expect(later.shownName()).toBeNull();
    });
  });

  it('happens at the end of the browser if the session was not remembered', async () => {
    const page = await openPage();
    page.startSession('t', amal, false);
    await page.typeName('of A');
    browser.cookies.clear();
    browser.openNewTab();
    const later = await openPage();
    expect([later.currentSession(), later.shownName()]).toEqual([null, null]);
    later.startSession('t2', amal, false);
    expect(later.shownName()).toBeNull();
  });

  it('does not happen at the end of the browser if the session was remembered', async () => {
    const page = await openPage();
    page.startSession('t', amal, true);
    await page.typeName('of A');
    browser.cookies.clear();
    browser.openNewTab();
    expect((await openPage()).shownName()).toBe('of A');
  });
});

describe('a change from user A to user B', () => {
  it('after A’s session has ended: neither sees data of the other', async () => {
    const page = await openPage();
    page.startSession('t', amal, false);
    await page.typeName('of A');
    page.cacheList('of A');
    page.markSessionEnded('t');
    page.startSession('n', nour, false);
    expect([page.shownName(), page.cachedList()]).toEqual([null, null]);
    await page.typeName('of B');
    page.startSession('t2', amal, false);
    expect(page.shownName()).toBe('of A');
  });

  it('after a logout', async () => {
    const page = await openPage();
    page.startSession('t', amal, false);
    await page.typeName('of A');
    page.logOut();
    page.startSession('n', nour, false);
    expect(page.shownName()).toBeNull();
  });

  it('does not happen if A logs in again, and all data is kept', async () => {
    const page = await openPage();
    page.startSession('t', amal, false);
    await page.typeName('of A');
    page.cacheList('of A');
    page.markSessionEnded('t');
    page.startSession('t2', amal, true);
    expect([page.shownName(), page.cachedList()]).toEqual(['of A', 'of A']);
    // The new login is remembered. The text typed before it is remembered too.
    await page.typeName('another', 't2');
    browser.cookies.clear();
    expect((await openPage()).shownName()).toBe('of A');
  });
});

describe('a tab of user A next to one of user B', () => {
  it('changes to B: it shows B’s input, and drops A’s lists', async () => {
    const first = await openPage();
    first.startSession('t', amal, false);
    await first.typeName('of A');
    first.cacheList('of A');
    browser.openNewTab();
    const second = await openPage();
    second.startSession('n', nour, false);
    await second.typeName('of B');
    browser.changeInOtherTab('token', 'n');
    expect(first.currentSession()?.user._id).toBe('n');
    await vi.waitFor(() => expect(first.shownName()).toBe('of B'));
    expect([first.cachedList(), second.shownName('t2')]).toEqual([null, null]);
  });
});

describe('a change from a guest to user A', () => {
  it('transfers the input of this tab to the account, also after a reload', async () => {
    const page = await openPage();
    await page.typeName('of the guest');
    await page.typeName('another', 't2');
    const reloaded = await openPage();
    expect(reloaded.shownName()).toBe('of the guest');
    reloaded.startSession('t', amal, false);
    expect([reloaded.shownName(), reloaded.shownName('t2')]).toEqual(['of the guest', 'another']);
    reloaded.dropSession();
    expect(reloaded.shownName()).toBeNull();
  });

  it('does not transfer the input of a closed tab', async () => {
    const page = await openPage();
    await page.typeName('of somebody');
    browser.openNewTab();
    const other = await openPage();
    expect(other.shownName()).toBe('of somebody');
    other.startSession('t', amal, false);
    expect(other.shownName()).toBeNull();
  });

  it('requests the responses of the guest again', async () => {
    const page = await openPage();
    page.cacheList('of the guest');
    page.startSession('t', amal, false);
    expect(page.cachedList()).toBeNull();
  });

  it('the input of a guest ends with the browser', async () => {
    const page = await openPage();
    await page.typeName('of the guest');
    browser.cookies.clear();
    browser.openNewTab();
    expect((await openPage()).shownName()).toBeNull();
  });
});

describe('data of an earlier version', () => {
  const save = { key: 'k1', userId: 'a', templateId: 't1', body: {}, draft: { key: 't1', filling: 'f' } };
  const draft = { values: { name: 'of A' }, blank: false, filling: 'f', edit: null };

  it('is taken over only for the user that it names', async () => {
    browser.localStorage.setItem('waitingSaves', JSON.stringify([save, 'nonsense']));
    browser.localStorage.setItem('values', JSON.stringify({ t1: draft, t2: { ...draft, filling: 'g' } }));
    browser.localStorage.setItem('supportMessage', '{"message":"of whom?"}');
    const page = await openPage();
    const { migrateLegacyKeys } = await import('@/shared/personal/legacyKeys');
    await migrateLegacyKeys();
    expect(browser.localStorage.keys()).toEqual([]);
    expect([page.shownName(), page.shownName('t2')]).toEqual([null, null]);
    page.startSession('n', nour, true);
    expect([page.shownName(), page.shownName('t2'), page.listEntries('save')]).toEqual([null, null, []]);
    page.startSession('t', amal, true);
    expect([page.shownName(), page.shownName('t2'), page.listEntries('save')]).toMatchObject([
      'of A',
      null,
      [{ key: 'k1' }],
    ]);
  });

  it('stays until it can be stored', async () => {
    browser.localStorage.setItem('waitingSaves', JSON.stringify([save]));
    vi.stubGlobal('indexedDB', undefined);
    await openPage();
    const { migrateLegacyKeys } = await import('@/shared/personal/legacyKeys');
    await migrateLegacyKeys();
    expect(browser.localStorage.keys()).toEqual(['waitingSaves']);
  });
});
