import { describe, expect, it } from 'vitest';

import type { User } from '@/api/types';

import { accountChanges, CLEARED_EDITS, hasUnsavedEdits, NO_EDITS, editProblems, type Edits } from './edits';

const user: User = {
  _id: '1',
  name: 'Amal',
  userName: 'Amal',
  email: 'amal@example.org',
  photo: null,
  country: 'TN',
  language: 'fr',
  role: 'user',
  downloads: 0,
  createdAt: '2026-11-01T00:00:00.000Z',
};
const edits = (part: Partial<Edits>): Edits => ({ ...NO_EDITS, ...part });
const photo = { file: new Blob(['x']), url: 'data:,x' };
const passwords = { oldPassword: 'old password', newPassword: 'new password', confirmation: 'new password' };

describe('one save sends the changes', () => {
  it('and nothing for unchanged values', () => {
    const same = edits({ userName: 'Amal ', email: ' amal@example.org', country: 'TN', language: 'fr' });
    expect(accountChanges(user, same)).toEqual({});
    expect(hasUnsavedEdits(user, same)).toBe(false);
    expect(hasUnsavedEdits(user, NO_EDITS)).toBe(false);
  });

  it.each([
    [{ userName: 'Amal B.' }, { profile: { userName: 'Amal B.' } }],
    [{ country: null }, { profile: { country: null } }],
    [{ language: 'ar' }, { profile: { language: 'ar' } }],
    [{ photo }, { profile: { photo } }],
    [{ email: 'b@example.org' }, { email: 'b@example.org' }],
    [passwords, { password: { oldPassword: 'old password', newPassword: 'new password' } }],
    [
      { userName: 'B', email: 'b@example.org', ...passwords },
      {
        profile: { userName: 'B' },
        email: 'b@example.org',
        password: { oldPassword: 'old password', newPassword: 'new password' },
      },
    ],
  ])('%j', (part, changes) => {
    expect(accountChanges(user, edits(part))).toEqual(changes);
    expect(hasUnsavedEdits(user, edits(part))).toBe(true);
  });

  it('an incomplete password is an unsaved edit but is not sent', () => {
    expect(hasUnsavedEdits(user, edits({ oldPassword: 'x' }))).toBe(true);
    expect(accountChanges(user, edits({ oldPassword: 'x', confirmation: 'y' }))).toEqual({});
  });
});

describe('problems that prevent saving', () => {
  it.each([
    [{}, {}],
    [passwords, {}],
    [{ userName: ' ' }, { userName: 'userNameLength' }],
    [{ userName: 'n'.repeat(61) }, { userName: 'userNameLength' }],
    [{ email: ' ' }, { email: 'emailRequired' }],
    [{ ...passwords, confirmation: 'other' }, { confirmation: 'passwordMismatch' }],
    [{ ...passwords, oldPassword: '' }, { oldPassword: 'enterOldPassword' }],
    [{ oldPassword: 'x' }, { newPassword: 'enterNewPassword' }],
    [
      { userName: '', email: '', newPassword: 'short', confirmation: 'other' },
      {
        userName: 'userNameLength',
        email: 'emailRequired',
        oldPassword: 'enterOldPassword',
        newPassword: 'passwordLength',
        confirmation: 'passwordMismatch',
      },
    ],
    [
      { oldPassword: 'x', newPassword: '1234567', confirmation: '1234567' },
      { newPassword: 'passwordLength' },
    ],
  ])('%j: %j', (part, problems) => expect(editProblems(user, edits(part))).toEqual(problems));
});

const without = (now: Edits, part: keyof typeof CLEARED_EDITS): Edits => ({ ...now, ...CLEARED_EDITS[part] });

describe('the edits that remain after a part was saved', () => {
  const all = edits({ userName: 'B', email: 'b@example.org', photo, ...passwords });

  it('are those of the other parts', () => {
    expect(accountChanges(user, without(all, 'profile'))).toEqual({
      email: 'b@example.org',
      password: { oldPassword: 'old password', newPassword: 'new password' },
    });
    expect(accountChanges(user, without(all, 'password'))).toEqual({
      profile: { userName: 'B', photo },
      email: 'b@example.org',
    });
    expect(Object.keys(accountChanges(user, without(all, 'email')))).toEqual(['profile', 'password']);
  });

  it('are none after all parts were saved', () => {
    const left = (['profile', 'password', 'email'] as const).reduce(without, all);
    expect(hasUnsavedEdits(user, left)).toBe(false);
  });
});
