import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { User } from '@/api/types';
import { openTab } from '@/testing/browser';

const amal = { _id: 'a', role: 'user', userName: 'Amal', email: 'amal@example.org' } as User;
const nour = { ...amal, _id: 'n', userName: 'Nour' };

let tab: ReturnType<typeof openTab>;
/** Loads the module as in a newly opened tab: it restores its state from storage. */
async function opened() {
  vi.resetModules();
  return import('./session');
}

beforeEach(() => {
  tab = openTab();
});

describe('a session', () => {
  it('that is not remembered is every tab’s, and ends with the browser', async () => {
    const session = await opened();
    session.startSession('t1', amal, false);
    tab.newTab();
    expect((await opened()).currentSession()).toMatchObject({ token: 't1', remembered: false });
    tab.cookies.clear();
    expect((await opened()).currentSession()).toBeNull();
    expect(tab.localStorage.keys()).toEqual([]);
  });

  it('that is remembered outlives it', async () => {
    const session = await opened();
    session.startSession('t1', amal, true);
    tab.cookies.clear();
    tab.newTab();
    expect((await opened()).currentSession()).toMatchObject({ token: 't1', user: amal, remembered: true });
  });

  it('of an earlier version, which was one tab’s, is taken over', async () => {
    tab.sessionStorage.setItem('token', 't1');
    tab.sessionStorage.setItem('user', JSON.stringify(amal));
    expect((await opened()).currentSession()).toMatchObject({ token: 't1', remembered: false });
    expect(tab.sessionStorage.keys()).toEqual([]);
    tab.cookies.clear();
    expect((await opened()).currentSession()).toBeNull();
  });

  it('without cookies is the tab’s, and another tab does not end it', async () => {
    vi.stubGlobal('document', {
      get cookie() {
        return '';
      },
      set cookie(_: string) {
        // This browser accepts no cookies.
      },
    });
    const session = await opened();
    session.startSession('t1', amal, false);
    const here = tab.sessionStorage;
    tab.newTab();
    expect((await opened()).currentSession()).toBeNull();
    tab.show(here);
    expect((await opened()).currentSession()).toMatchObject({ token: 't1' });
  });

  it('exists in the page if the browser refuses to store it', async () => {
    vi.spyOn(tab.localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError');
    });
    const session = await opened();
    expect(session.startSession('t1', amal, true)).toBe(false);
    expect([session.isSessionKept(), session.currentSession()?.token]).toEqual([false, 't1']);
    session.renewToken('t2', 't1');
    expect(session.currentSession()?.token).toBe('t2');
  });

  it('takes a renewed token over where it keeps its own', async () => {
    const session = await opened();
    session.startSession('t1', amal, true);
    session.renewToken('t2', 't1');
    expect(session.currentSession()?.token).toBe('t2');
    expect(tab.localStorage.getItem('token')).toBe('t2');
  });

  it('does not take over what a late answer to somebody else’s token brings', async () => {
    const session = await opened();
    session.startSession('t1', amal, false);
    session.startSession('n1', nour, false);
    session.renewToken('t2', 't1');
    session.markSessionEnded('t1');
    expect(session.currentSession()).toMatchObject({ token: 'n1', user: nour });
    session.logOut();
    session.renewToken('n2', 'n1');
    expect(session.currentSession()).toBeNull();
  });

  it('does not take over what was answered before another tab’s login', async () => {
    const session = await opened();
    session.startSession('t1', amal, true);
    // The event of the other tab has not arrived yet.
    tab.localStorage.setItem('token', 'n1');
    tab.localStorage.setItem('user', JSON.stringify(nour));
    session.renewToken('t2', 't1');
    session.updateSession({ ...amal, userName: 'Late' });
    expect(tab.localStorage.getItem('token')).toBe('n1');
    expect(tab.localStorage.getItem('user')).toContain('Nour');
  });

  it('ignores late data of a user who has left', async () => {
    const session = await opened();
    session.startSession('t1', amal, true);
    session.startSession('n1', nour, true);
    session.updateSession({ ...amal, userName: 'Late' }, 't2');
    expect(session.currentSession()).toMatchObject({ token: 'n1', user: { userName: 'Nour' } });
  });

  it('keeps what the server answers of the user, and the token that outlives all others', async () => {
    const session = await opened();
    session.startSession('t1', amal, true);
    session.updateSession({ ...amal, userName: 'Amal B.' });
    expect(session.currentSession()).toMatchObject({ token: 't1', user: { userName: 'Amal B.' } });
    session.updateSession(amal, 't2');
    expect((await opened()).currentSession()).toMatchObject({ token: 't2', user: amal });
  });
});

describe('logging out', () => {
  it('clears the session and what was pending; language and country stay', async () => {
    const session = await opened();
    const { awaitAddress } = await import('./pending');
    session.startSession('t1', amal, true);
    awaitAddress('new@example.org');
    for (const key of ['currentDocument', 'returnUrl', 'languageView', 'languageCode', 'country'])
      tab.localStorage.setItem(key, 'x');
    const forgotten = vi.fn();
    session.whenLoggedOut(forgotten);
    session.logOut();
    expect(session.currentSession()).toBeNull();
    expect(tab.localStorage.keys()).toEqual(['country', 'languageCode', 'languageView']);
    expect(forgotten).toHaveBeenCalledExactlyOnceWith({ user: 'a', guest: expect.any(String) as string });
  });

  it('in another tab is one here too, and so is a login', async () => {
    const session = await opened();
    session.followOtherTabs();
    session.startSession('t1', amal, false);
    tab.fromOtherTab('token', 't2');
    expect(session.currentSession()?.token).toBe('t2');
    tab.fromOtherTab('token', null);
    expect(session.currentSession()).toBeNull();
    tab.localStorage.setItem('user', JSON.stringify(nour));
    tab.fromOtherTab('token', 'n1');
    expect(session.currentSession()?.user).toEqual(nour);
  });
});

describe('a change of the user', () => {
  it('is told: guest to user, user to user, user to guest; what is pending of a user goes', async () => {
    const session = await opened();
    const { awaitAddress, awaitRegistration, pendingProof } = await import('./pending');
    const { guestId } = await import('./browserSession');
    const changes = vi.fn();
    const departures = vi.fn();
    session.whenIdentityChanges(changes);
    session.whenUserLeaves(departures);
    awaitRegistration('r');
    const guest = guestId();
    session.startSession('t1', amal, true);
    expect(pendingProof()).toEqual({ kind: 'registration', userId: 'r' });
    awaitAddress('new@example.org');
    session.startSession('t2', amal, true);
    expect(pendingProof()).not.toBeNull();
    session.startSession('n1', nour, true);
    expect(pendingProof()).toBeNull();
    session.dropSession();
    expect(changes.mock.calls).toEqual([
      [{ from: null, to: 'a' }],
      [{ from: 'a', to: 'n' }],
      [{ from: 'n', to: null }],
    ]);
    expect(departures).toHaveBeenCalledTimes(2);
    // The next guest is another one.
    expect(guestId()).not.toBe(guest);
  });
});

describe('what a code is to prove', () => {
  it('is the last thing that was asked for', async () => {
    const { awaitAddress, awaitRegistration, forgetPending, pendingProof } = await import('./pending');
    expect(pendingProof()).toBeNull();
    awaitRegistration('u1');
    expect(pendingProof()).toEqual({ kind: 'registration', userId: 'u1' });
    awaitAddress('new@example.org');
    expect(tab.localStorage.keys()).toEqual(['changeEmail', 'newEmail']);
    expect(pendingProof()).toEqual({ kind: 'address', newEmail: 'new@example.org' });
    forgetPending();
    expect(tab.localStorage.keys()).toEqual([]);
  });
});
