import { LIMITS } from './settings';

/**
 * Checks the length, 8 to 256 characters. White space alone is refused, because a login treats it as empty
 * (specification §5).
 */
export function isAllowedPassword(password: string): boolean {
  const { length } = [...password];
  return (
    length >= LIMITS.passwordMinCharacters && length <= LIMITS.passwordMaxCharacters && password.trim() !== ''
  );
}
