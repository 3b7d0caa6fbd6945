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
  it('that is not remembered ends with the tab', async () => {
    const session = await opened();
    session.startSession('t1', amal, false);
    expect(tab.localStorage.keys()).toEqual([]);
    expect(tab.sessionStorage.keys()).toEqual(['role', 'token', 'user']);
    expect((await opened()).currentSession()).toMatchObject({ token: 't1', place: 'session' });
  });

  it('that is remembered outlives it', async () => {
    const session = await opened();
    session.startSession('t1', amal, true);
    expect(tab.sessionStorage.keys()).toEqual([]);
    expect((await opened()).currentSession()).toMatchObject({ token: 't1', user: amal, place: 'local' });
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
  it('clears the session, the values, the drafts and what was pending; language and country stay', async () => {
    const session = await opened();
    const { awaitAddress } = await import('./pending');
    session.startSession('t1', amal, true);
    awaitAddress('new@example.org');
    for (const key of ['values', 'currentDocument', 'returnUrl', 'languageView', 'languageCode', 'country'])
      tab.localStorage.setItem(key, 'x');
    const forgotten = vi.fn();
    session.whenLoggedOut(forgotten);
    session.logOut();
    expect(session.currentSession()).toBeNull();
    expect(tab.localStorage.keys()).toEqual(['country', 'languageCode', 'languageView']);
    expect(forgotten).toHaveBeenCalledOnce();
  });

  it('in another tab is one here too, unless this tab’s session is its own', async () => {
    const session = await opened();
    session.followOtherTabs();
    session.startSession('t1', amal, true);
    tab.fromOtherTab('token', 't2');
    expect(session.currentSession()?.token).toBe('t2');
    tab.fromOtherTab('token', null);
    expect(session.currentSession()).toBeNull();
    session.startSession('own', amal, false);
    tab.fromOtherTab('token', null);
    expect(session.currentSession()?.token).toBe('own');
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
