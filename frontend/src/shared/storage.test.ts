import { beforeEach, expect, it, vi } from 'vitest';

import { openTestTab } from '@/testing/browser';

import { isStepUnstored, readText, removeKey, writeText } from './storage';

let browser: ReturnType<typeof openTestTab>;
beforeEach(() => {
  browser = openTestTab();
  for (const key of ['returnUrl', 'userId', 'saveAfterLogin'] as const) removeKey(key);
});

function refuseWrites(name: string) {
  for (const storage of [browser.localStorage, browser.sessionStorage])
    vi.spyOn(storage, 'setItem').mockImplementation(() => {
      throw new DOMException('', name);
    });
}

it.each(['QuotaExceededError', 'SecurityError'])(
  'keeps the steps between pages in memory if the browser refuses (%s), and says so',
  (name) => {
    refuseWrites(name);
    expect(writeText('returnUrl', '/next')).toBe(false);
    expect(writeText('saveAfterLogin', 'form', 'session')).toBe(false);
    expect(writeText('userId', 'u1')).toBe(false);
    expect([readText('returnUrl'), readText('saveAfterLogin', 'session'), readText('userId')]).toEqual([
      '/next',
      'form',
      'u1',
    ]);
    expect(isStepUnstored.get()).toBe(true);
    for (const key of ['returnUrl', 'userId', 'saveAfterLogin'] as const) removeKey(key);
    expect([readText('returnUrl'), isStepUnstored.get()]).toEqual([null, false]);
  },
);

it('keeps nothing else in memory', () => {
  refuseWrites('SecurityError');
  expect(writeText('token', 't')).toBe(false);
  expect([readText('token'), isStepUnstored.get()]).toEqual([null, false]);
});

it('reads a step that can be stored again from the storage', () => {
  refuseWrites('QuotaExceededError');
  writeText('returnUrl', '/one');
  vi.restoreAllMocks();
  writeText('returnUrl', '/two');
  browser.localStorage.setItem('returnUrl', '/three');
  expect([readText('returnUrl'), isStepUnstored.get()]).toEqual(['/three', false]);
});
