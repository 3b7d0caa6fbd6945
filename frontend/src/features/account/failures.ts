import { ApiError } from '@/api/error';

import type { Field, Part } from './edits';

/** Beside which field a part's failure stands. */
export function placeOf(part: Part, error: unknown): Field | 'photo' | 'general' {
  const code = error instanceof ApiError ? error.code : '';
  if (part === 'email') return 'email';
  if (part === 'password') return code === 'wrong_password' ? 'oldPassword' : 'newPassword';
  if (code.startsWith('photo_')) return 'photo';
  return code === 'invalid_user_name' ? 'userName' : 'general';
}
