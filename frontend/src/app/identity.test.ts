import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { User } from '@/api/types';
import { openTab } from '@/testing/browser';

const amal = { _id: 'a', role: 'user', userName: 'Amal', email: 'amal@example.org' } as User;
const nour = { ...amal, _id: 'n', userName: 'Nour' };

let browser: ReturnType<typeof openTab>;
beforeEach(() => {
  browser = openTab();
});

/** Loads the modules as in a newly opened page of the current tab. */
async function opened() {
  vi.resetModules();
  const [session, store, drafts, { queryClient }, waiting] = await Promise.all([
    import('@/shared/session/session'),
    import('@/shared/personal/store'),
    import('@/shared/drafts'),
    import('./queryClient'),
    import('@/shared/saved/waiting'),
  ]);
  const { followIdentity } = await import('@/shared/personal/identity');
  session.followOtherTabs();
  followIdentity();
  await store.openStore();
  const type = (text: string, key = 't1') =>
    drafts.writeDraft(key, { ...drafts.EMPTY_DRAFT, values: { name: text } });
  /** Returns what the form of a template shows. */
  const shows = (key = 't1') => drafts.readDraft(key)?.values['name'] ?? null;
  const lists = () => queryClient.getQueryData(['saved']) ?? null;
  const loadList = (of: string) => queryClient.setQueryData(['saved'], of);
  return { ...session, ...store, ...drafts, ...waiting, type, shows, lists, loadList };
}

describe('from A to a guest', () => {
  it('by “Continue without logging in”: the guest sees nothing, A finds everything again', async () => {
    const page = await opened();
    page.startSession('t', amal, false);
    await page.type('of A');
    page.loadList('of A');
    page.dropSession();
    expect([page.shows(), page.lists()]).toEqual([null, null]);
    const later = await opened();
    expect(later.shows()).toBeNull();
    later.startSession('t2', amal, false);
    expect(later.shows()).toBe('of A');
  });

  it('by a logout: nothing of A is left on the device', async () => {
    const page = await opened();
    page.startSession('t', amal, true);
    await page.type('of A');
    page.logOut();
    expect(page.shows()).toBeNull();
    await vi.waitFor(async () => {
      const later = await opened();
      later.startSession('t2', amal, true);
      expect(later.shows()).toBeNull();
    });
  });

  it('by the end of the browser, if the session was not remembered', async () => {
    const page = await opened();
    page.startSession('t', amal, false);
    await page.type('of A');
    browser.cookies.clear();
    browser.newTab();
    const later = await opened();
    expect([later.currentSession(), later.shows()]).toEqual([null, null]);
    later.startSession('t2', amal, false);
    expect(later.shows()).toBeNull();
  });

  it('not by the end of the browser if it was remembered', async () => {
    const page = await opened();
    page.startSession('t', amal, true);
    await page.type('of A');
    browser.cookies.clear();
    browser.newTab();
    expect((await opened()).shows()).toBe('of A');
  });
});

describe('from A to B', () => {
  it('whose session has ended: B sees nothing of A, and A nothing of B', async () => {
    const page = await opened();
    page.startSession('t', amal, false);
    await page.type('of A');
    page.loadList('of A');
    page.markSessionEnded('t');
    page.startSession('n', nour, false);
    expect([page.shows(), page.lists()]).toEqual([null, null]);
    await page.type('of B');
    page.startSession('t2', amal, false);
    expect(page.shows()).toBe('of A');
  });

  it('after a logout', async () => {
    const page = await opened();
    page.startSession('t', amal, false);
    await page.type('of A');
    page.logOut();
    page.startSession('n', nour, false);
    expect(page.shows()).toBeNull();
  });

  it('that A’s session ended and A logs in again keeps everything', async () => {
    const page = await opened();
    page.startSession('t', amal, false);
    await page.type('of A');
    page.loadList('of A');
    page.markSessionEnded('t');
    page.startSession('t2', amal, true);
    expect([page.shows(), page.lists()]).toEqual(['of A', 'of A']);
    // The new login is remembered. The text typed before it is remembered too.
    await page.type('another', 't2');
    browser.cookies.clear();
    expect((await opened()).shows()).toBe('of A');
  });
});

describe('a tab of A beside one of B', () => {
  it('becomes B’s: it shows what B has typed, and loses A’s lists', async () => {
    const first = await opened();
    first.startSession('t', amal, false);
    await first.type('of A');
    first.loadList('of A');
    browser.newTab();
    const second = await opened();
    second.startSession('n', nour, false);
    await second.type('of B');
    browser.fromOtherTab('token', 'n');
    expect(first.currentSession()?.user._id).toBe('n');
    await vi.waitFor(() => expect(first.shows()).toBe('of B'));
    expect([first.lists(), second.shows('t2')]).toEqual([null, null]);
  });
});

describe('from a guest to A', () => {
  it('what was typed in the tab goes on into the account, also over a reload', async () => {
    const page = await opened();
    await page.type('of the guest');
    await page.type('another', 't2');
    const reloaded = await opened();
    expect(reloaded.shows()).toBe('of the guest');
    reloaded.startSession('t', amal, false);
    expect([reloaded.shows(), reloaded.shows('t2')]).toEqual(['of the guest', 'another']);
    reloaded.dropSession();
    expect(reloaded.shows()).toBeNull();
  });

  it('what was typed in a tab that is closed is not taken for A’s', async () => {
    const page = await opened();
    await page.type('of somebody');
    browser.newTab();
    const other = await opened();
    expect(other.shows()).toBe('of somebody');
    other.startSession('t', amal, false);
    expect(other.shows()).toBeNull();
  });

  it('the responses of the guest are requested again', async () => {
    const page = await opened();
    page.loadList('of the guest');
    page.startSession('t', amal, false);
    expect(page.lists()).toBeNull();
  });

  it('what a guest typed ends with the browser', async () => {
    const page = await opened();
    await page.type('of the guest');
    browser.cookies.clear();
    browser.newTab();
    expect((await opened()).shows()).toBeNull();
  });
});

describe('what an earlier version has stored', () => {
  const save = { key: 'k1', userId: 'a', templateId: 't1', body: {}, draft: { key: 't1', filling: 'f' } };
  const draft = { values: { name: 'of A' }, blank: false, filling: 'f', edit: null };

  it('is taken over for the user whom it names, and is nobody else’s', async () => {
    browser.localStorage.setItem('waitingSaves', JSON.stringify([save, 'nonsense']));
    browser.localStorage.setItem('values', JSON.stringify({ t1: draft, t2: { ...draft, filling: 'g' } }));
    browser.localStorage.setItem('supportMessage', '{"message":"of whom?"}');
    const page = await opened();
    const { moveOldKeys } = await import('@/shared/personal/oldKeys');
    await moveOldKeys();
    expect(browser.localStorage.keys()).toEqual([]);
    expect([page.shows(), page.shows('t2')]).toEqual([null, null]);
    page.startSession('n', nour, true);
    expect([page.shows(), page.shows('t2'), page.list('save')]).toEqual([null, null, []]);
    page.startSession('t', amal, true);
    expect([page.shows(), page.shows('t2'), page.list('save')]).toMatchObject([
      'of A',
      null,
      [{ key: 'k1' }],
    ]);
  });

  it('stays until it can be stored', async () => {
    browser.localStorage.setItem('waitingSaves', JSON.stringify([save]));
    vi.stubGlobal('indexedDB', undefined);
    await opened();
    const { moveOldKeys } = await import('@/shared/personal/oldKeys');
    await moveOldKeys();
    expect(browser.localStorage.keys()).toEqual(['waitingSaves']);
  });
});
