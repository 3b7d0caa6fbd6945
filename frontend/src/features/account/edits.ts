import type { User } from '@/api/types';
import { isAllowedPassword } from '@/shared/password';
import { LIMITS } from '@/shared/settings';

import type { Photo } from './photo';

/** What somebody has entered; what is undefined was not touched and stays as it is stored. */
export interface Edits {
  userName?: string;
  email?: string;
  /** A country's `_id`; null: none. */
  country?: string | null;
  language?: string;
  photo?: Photo;
  oldPassword: string;
  newPassword: string;
  confirmation: string;
}

export const NO_EDITS: Edits = { oldPassword: '', newPassword: '', confirmation: '' };

export interface ProfileChange {
  userName?: string;
  country?: string | null;
  language?: string;
  photo?: Photo;
}

/** What one Save sends: only the parts that changed (specification §5). */
export interface Changes {
  profile?: ProfileChange;
  password?: { oldPassword: string; newPassword: string };
  email?: string;
}

export type Part = keyof Changes;

export function changesOf(user: User, edits: Edits): Changes {
  const { userName, email, country, language, photo, oldPassword, newPassword } = edits;
  const profile: ProfileChange = {};
  if (userName !== undefined && userName.trim() !== user.userName) profile.userName = userName.trim();
  if (country !== undefined && country !== (user.country ?? null)) profile.country = country;
  if (language !== undefined && language !== user.language) profile.language = language;
  if (photo) profile.photo = photo;
  const changes: Changes = {};
  if (Object.keys(profile).length > 0) changes.profile = profile;
  if (newPassword) changes.password = { oldPassword, newPassword };
  if (email !== undefined && email.trim() !== user.email) changes.email = email.trim();
  return changes;
}

/** Whether there is anything to save or to take back. */
export function isDirty(user: User, edits: Edits): boolean {
  const touched = edits.oldPassword || edits.newPassword || edits.confirmation;
  return Boolean(touched) || Object.keys(changesOf(user, edits)).length > 0;
}

const FIELDS_OF = {
  profile: ['userName', 'country', 'language', 'photo'],
  email: ['email'],
} as const;

/** The edits that are left once a part has been saved. */
export function without(edits: Edits, part: Part): Edits {
  if (part === 'password') return { ...edits, oldPassword: '', newPassword: '', confirmation: '' };
  const rest = { ...edits };
  for (const field of FIELDS_OF[part]) delete rest[field];
  return rest;
}

export type EditProblem =
  | 'userNameLength'
  | 'emailRequired'
  | 'passwordLength'
  | 'passwordMismatch'
  | 'enterOldPassword'
  | 'enterNewPassword';
export type Field = 'userName' | 'email' | 'oldPassword' | 'newPassword' | 'confirmation';

/** The first thing that keeps the edits from being saved, and the field it stands beside. */
export function problemOf(user: User, edits: Edits): { problem: EditProblem; field: Field } | null {
  const { profile, email } = changesOf(user, edits);
  if (profile?.userName !== undefined) {
    const { length } = [...profile.userName];
    if (length < 1 || length > LIMITS.userNameCharacters)
      return { problem: 'userNameLength', field: 'userName' };
  }
  if (email === '') return { problem: 'emailRequired', field: 'email' };
  const { oldPassword, newPassword, confirmation } = edits;
  if (!newPassword)
    return oldPassword || confirmation ? { problem: 'enterNewPassword', field: 'newPassword' } : null;
  if (newPassword !== confirmation) return { problem: 'passwordMismatch', field: 'confirmation' };
  if (!oldPassword) return { problem: 'enterOldPassword', field: 'oldPassword' };
  if (!isAllowedPassword(newPassword)) return { problem: 'passwordLength', field: 'newPassword' };
  return null;
}
