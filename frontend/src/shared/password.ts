import { LIMITS } from './settings';

/** 8 to 256 characters, no other rule (design §3). */
export function isPasswordLength(password: string): boolean {
  const { length } = [...password];
  return length >= LIMITS.passwordFewest && length <= LIMITS.passwordMost;
}
