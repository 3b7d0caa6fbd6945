import { describe, expect, it } from 'vitest';

import type { User } from '@/api/types';

import { changesOf, CLEARED, isDirty, NO_EDITS, problemsOf, type Edits } from './edits';

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

describe('one Save sends what changed', () => {
  it('and nothing for what is as it is stored', () => {
    const same = edits({ userName: 'Amal ', email: ' amal@example.org', country: 'TN', language: 'fr' });
    expect(changesOf(user, same)).toEqual({});
    expect(isDirty(user, same)).toBe(false);
    expect(isDirty(user, NO_EDITS)).toBe(false);
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
    expect(changesOf(user, edits(part))).toEqual(changes);
    expect(isDirty(user, edits(part))).toBe(true);
  });

  it('a password that is begun makes the form dirty but sends nothing yet', () => {
    expect(isDirty(user, edits({ oldPassword: 'x' }))).toBe(true);
    expect(changesOf(user, edits({ oldPassword: 'x', confirmation: 'y' }))).toEqual({});
  });
});

describe('what keeps edits from being saved', () => {
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
  ])('%j: %j', (part, problems) => expect(problemsOf(user, edits(part))).toEqual(problems));
});

const without = (now: Edits, part: keyof typeof CLEARED): Edits => ({ ...now, ...CLEARED[part] });

describe('what is left once a part is saved', () => {
  const all = edits({ userName: 'B', email: 'b@example.org', photo, ...passwords });

  it('is the other parts', () => {
    expect(changesOf(user, without(all, 'profile'))).toEqual({
      email: 'b@example.org',
      password: { oldPassword: 'old password', newPassword: 'new password' },
    });
    expect(changesOf(user, without(all, 'password'))).toEqual({
      profile: { userName: 'B', photo },
      email: 'b@example.org',
    });
    expect(Object.keys(changesOf(user, without(all, 'email')))).toEqual(['profile', 'password']);
  });

  it('is nothing after all of them', () => {
    const left = (['profile', 'password', 'email'] as const).reduce(without, all);
    expect(isDirty(user, left)).toBe(false);
  });
});
