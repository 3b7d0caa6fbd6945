import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { User } from '@/api/types';
import { openTestTab } from '@/testing/browser';

const amal = { _id: 'a', role: 'user', userName: 'Amal', email: 'amal@example.org' } as User;
const nour = { ...amal, _id: 'n', userName: 'Nour' };

let tab: ReturnType<typeof openTestTab>;
/** Loads the module as in a newly opened tab: it restores its state from storage. */
async function loadSession() {
  vi.resetModules();
  return import('./session');
}

beforeEach(() => {
  tab = openTestTab();
});

describe('a session', () => {
  it('that is not remembered applies to all tabs and ends with the browser', async () => {
    const session = await loadSession();
    session.startSession('t1', amal, false);
    tab.openNewTab();
    expect((await loadSession()).currentSession()).toMatchObject({ token: 't1', remembered: false });
    tab.cookies.clear();
    expect((await loadSession()).currentSession()).toBeNull();
    expect(tab.localStorage.keys()).toEqual([]);
  });

  it('that is remembered outlives the browser', async () => {
    const session = await loadSession();
    session.startSession('t1', amal, true);
    tab.cookies.clear();
    tab.openNewTab();
    expect((await loadSession()).currentSession()).toMatchObject({
      token: 't1',
      user: amal,
      remembered: true,
    });
  });

  it('that an earlier version has stored for one tab is taken over', async () => {
    tab.sessionStorage.setItem('token', 't1');
    tab.sessionStorage.setItem('user', JSON.stringify(amal));
    expect((await loadSession()).currentSession()).toMatchObject({ token: 't1', remembered: false });
    expect(tab.sessionStorage.keys()).toEqual([]);
    tab.cookies.clear();
    expect((await loadSession()).currentSession()).toBeNull();
  });

  it('without cookies belongs to one tab, and another tab does not end it', async () => {
    vi.stubGlobal('document', {
      get cookie() {
        return '';
      },
      set cookie(_: string) {
        // This browser accepts no cookies.
      },
    });
    const session = await loadSession();
    session.startSession('t1', amal, false);
    const here = tab.sessionStorage;
    tab.openNewTab();
    expect((await loadSession()).currentSession()).toBeNull();
    tab.showTab(here);
    expect((await loadSession()).currentSession()).toMatchObject({ token: 't1' });
  });

  it('exists in the page if the browser refuses to store it', async () => {
    vi.spyOn(tab.localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError');
    });
    const session = await loadSession();
    expect(session.startSession('t1', amal, true)).toBe(false);
    expect([session.isSessionStored(), session.currentSession()?.token]).toEqual([false, 't1']);
    session.renewToken('t2', 't1');
    expect(session.currentSession()?.token).toBe('t2');
  });

  it('stores a renewed token', async () => {
    const session = await loadSession();
    session.startSession('t1', amal, true);
    session.renewToken('t2', 't1');
    expect(session.currentSession()?.token).toBe('t2');
    expect(tab.localStorage.getItem('token')).toBe('t2');
  });

  it('ignores the renewed token of a late response to another user’s token', async () => {
    const session = await loadSession();
    session.startSession('t1', amal, false);
    session.startSession('n1', nour, false);
    session.renewToken('t2', 't1');
    session.markSessionEnded('t1');
    expect(session.currentSession()).toMatchObject({ token: 'n1', user: nour });
    session.logOut();
    session.renewToken('n2', 'n1');
    expect(session.currentSession()).toBeNull();
  });

  it('ignores responses to requests from before another tab’s login', async () => {
    const session = await loadSession();
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
    const session = await loadSession();
    session.startSession('t1', amal, true);
    session.startSession('n1', nour, true);
    session.updateSession({ ...amal, userName: 'Late' }, 't2');
    expect(session.currentSession()).toMatchObject({ token: 'n1', user: { userName: 'Nour' } });
  });

  it('stores the user and the new token of a response', async () => {
    const session = await loadSession();
    session.startSession('t1', amal, true);
    session.updateSession({ ...amal, userName: 'Amal B.' });
    expect(session.currentSession()).toMatchObject({ token: 't1', user: { userName: 'Amal B.' } });
    session.updateSession(amal, 't2');
    expect((await loadSession()).currentSession()).toMatchObject({ token: 't2', user: amal });
  });
});

describe('logging out', () => {
  it('clears the session and pending verifications; language and country stay', async () => {
    const session = await loadSession();
    const { storePendingEmailChange } = await import('./pendingVerification');
    session.startSession('t1', amal, true);
    storePendingEmailChange('new@example.org');
    for (const key of ['currentDocument', 'returnUrl', 'languageView', 'languageCode', 'country'])
      tab.localStorage.setItem(key, 'x');
    const forgotten = vi.fn();
    session.onLogout(forgotten);
    session.logOut();
    expect(session.currentSession()).toBeNull();
    expect(tab.localStorage.keys()).toEqual(['country', 'languageCode', 'languageView']);
    expect(forgotten).toHaveBeenCalledExactlyOnceWith({
      user: 'a',
      guest: expect.any(String) as string,
      token: 't1',
    });
  });

  it('reports no token that the server refuses already', async () => {
    const session = await loadSession();
    const left = vi.fn();
    session.onLogout(left);
    session.startSession('t1', amal, true);
    session.markSessionEnded('t1');
    session.logOut();
    session.startSession('t2', amal, true);
    session.logOutAfterDeletion();
    expect(left.mock.calls.map(([logout]) => (logout as { token: string | null }).token)).toEqual([
      null,
      null,
    ]);
  });

  it('in another tab applies here too, and so does a login', async () => {
    const session = await loadSession();
    session.followOtherTabs();
    session.startSession('t1', amal, false);
    tab.changeInOtherTab('token', 't2');
    expect(session.currentSession()?.token).toBe('t2');
    tab.changeInOtherTab('token', null);
    expect(session.currentSession()).toBeNull();
    tab.localStorage.setItem('user', JSON.stringify(nour));
    tab.changeInOtherTab('token', 'n1');
    expect(session.currentSession()?.user).toEqual(nour);
  });
});

describe('a change of the user', () => {
  it('is reported from guest to user, user to user and user to guest; pending verifications of the user are removed', async () => {
    const session = await loadSession();
    const { storePendingEmailChange, storePendingRegistration, pendingVerification } =
      await import('./pendingVerification');
    const { guestId } = await import('./browserSession');
    const changes = vi.fn();
    const departures = vi.fn();
    session.onIdentityChange(changes);
    session.onUserLeave(departures);
    storePendingRegistration('r');
    const guest = guestId();
    session.startSession('t1', amal, true);
    expect(pendingVerification()).toEqual({ kind: 'registration', userId: 'r' });
    storePendingEmailChange('new@example.org');
    session.startSession('t2', amal, true);
    expect(pendingVerification()).not.toBeNull();
    session.startSession('n1', nour, true);
    expect(pendingVerification()).toBeNull();
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

describe('a pending verification', () => {
  it('is the last one that was requested', async () => {
    const {
      storePendingEmailChange,
      storePendingRegistration,
      clearPendingVerification,
      pendingVerification,
    } = await import('./pendingVerification');
    expect(pendingVerification()).toBeNull();
    storePendingRegistration('u1');
    expect(pendingVerification()).toEqual({ kind: 'registration', userId: 'u1' });
    storePendingEmailChange('new@example.org');
    expect(tab.localStorage.keys()).toEqual(['changeEmail', 'newEmail']);
    expect(pendingVerification()).toEqual({ kind: 'address', newEmail: 'new@example.org' });
    clearPendingVerification();
    expect(tab.localStorage.keys()).toEqual([]);
  });
});
