import type { User } from '@/api/types';
import { isAllowedPassword } from '@/shared/password';
import { LIMITS } from '@/shared/settings';

import type { Photo } from './photo';

/** The user's edits. An undefined value is untouched and stays as stored. */
export interface Edits {
  userName: string | undefined;
  email: string | undefined;
  /** The country's `_id`; null for none. */
  country: string | null | undefined;
  language: string | undefined;
  photo: Photo | undefined;
  oldPassword: string;
  newPassword: string;
  confirmation: string;
}

const NO_PROFILE_EDITS = {
  userName: undefined,
  email: undefined,
  country: undefined,
  language: undefined,
  photo: undefined,
};
const NO_PASSWORDS = { oldPassword: '', newPassword: '', confirmation: '' };
export const NO_EDITS: Edits = { ...NO_PROFILE_EDITS, ...NO_PASSWORDS };

export interface ProfileChange {
  userName?: string;
  country?: string | null;
  language?: string;
  photo?: Photo;
}

/** The data of one save: only the parts that changed (specification §5). */
export interface Changes {
  profile?: ProfileChange;
  password?: { oldPassword: string; newPassword: string };
  email?: string;
}

export type AccountPart = keyof Changes;

export function accountChanges(user: User, edits: Edits): Changes {
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

/** Returns true if there are edits to save or to discard. */
export function hasUnsavedEdits(user: User, edits: Edits): boolean {
  const touched = edits.oldPassword || edits.newPassword || edits.confirmation;
  return Boolean(touched) || Object.keys(accountChanges(user, edits)).length > 0;
}

/** The state of a part's edits after it has been saved. */
export const CLEARED_EDITS: Record<AccountPart, Partial<Edits>> = {
  profile: { userName: undefined, country: undefined, language: undefined, photo: undefined },
  password: NO_PASSWORDS,
  email: { email: undefined },
};

export type EditProblem =
  | 'userNameLength'
  | 'emailRequired'
  | 'passwordLength'
  | 'passwordMismatch'
  | 'enterOldPassword'
  | 'enterNewPassword';
export type AccountField = 'userName' | 'email' | 'oldPassword' | 'newPassword' | 'confirmation';

/** Returns everything that prevents saving, by field. */
export function editProblems(user: User, edits: Edits): Partial<Record<AccountField, EditProblem>> {
  const problems: Partial<Record<AccountField, EditProblem>> = {};
  const { profile, email } = accountChanges(user, edits);
  if (profile?.userName !== undefined) {
    const { length } = [...profile.userName];
    if (length < 1 || length > LIMITS.userNameCharacters) problems.userName = 'userNameLength';
  }
  if (email === '') problems.email = 'emailRequired';
  const { oldPassword, newPassword, confirmation } = edits;
  if (!newPassword) {
    if (oldPassword || confirmation) problems.newPassword = 'enterNewPassword';
    return problems;
  }
  if (!oldPassword) problems.oldPassword = 'enterOldPassword';
  if (!isAllowedPassword(newPassword)) problems.newPassword = 'passwordLength';
  if (newPassword !== confirmation) problems.confirmation = 'passwordMismatch';
  return problems;
}
