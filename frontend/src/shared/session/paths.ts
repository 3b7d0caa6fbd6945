import type { User } from '@/api/types';

/** The account's settings: admins have them in their area (specification §2). */
export function accountPath(role: User['role']): string {
  return role === 'admin' ? '/account-setting' : '/user-home/user-account-setting';
}

/** The screens of admins that are linked to from elsewhere. */
export const DASHBOARD = '/';
export const USERS = '/users';
export const MESSAGES = '/messages';
