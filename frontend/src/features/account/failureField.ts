import { ApiError } from '@/api/error';

import type { AccountField, AccountPart } from './edits';

/** Returns the field that a part's failure is shown next to, or `general` for a limit or an outage. */
export function failureField(part: AccountPart, error: unknown): AccountField | 'photo' | 'general' {
  if (!(error instanceof ApiError)) return 'general';
  const { code, status } = error;
  if (status === 0 || status === 429 || status >= 500) return 'general';
  if (part === 'email') return 'email';
  if (part === 'password') return code === 'wrong_password' ? 'oldPassword' : 'newPassword';
  if (code.startsWith('photo_')) return 'photo';
  return code === 'invalid_user_name' ? 'userName' : 'general';
}
