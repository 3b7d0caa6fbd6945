import type { User } from '@/api/types';

/** Returns the path of the account settings, which admins have in their own area (specification §2). */
export function accountPath(role: User['role']): string {
  return role === 'admin' ? '/account-setting' : '/user-home/user-account-setting';
}

/** The admin screens that other features link to. */
export const DASHBOARD_PATH = '/';
export const USERS_PATH = '/users';
export const MESSAGES_PATH = '/messages';
