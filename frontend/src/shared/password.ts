import { LIMITS } from './settings';

/** 8 to 256 characters, not all of them white space: a login takes such a password for none (specification §5). */
export function isAllowedPassword(password: string): boolean {
  const { length } = [...password];
  return length >= LIMITS.passwordFewest && length <= LIMITS.passwordMost && password.trim() !== '';
}
