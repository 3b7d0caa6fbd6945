export type StrengthHint = 'weak' | 'moderate' | 'strong';

/** The special characters (specification §5). */
const SPECIAL = /[!@#$%^&*(),.?":{}|<>]/;

/**
 * Returns the hint for a new password in the settings, by the settings' own rules (specification §5). Null for an
 * empty one.
 */
export function strengthHint(password: string): StrengthHint | null {
  if (!password) return null;
  const long = [...password].length >= 8;
  const upper = /\p{Lu}/u.test(password);
  const digit = /\p{Nd}/u.test(password);
  const special = SPECIAL.test(password);
  if (long && upper && digit && special) return 'strong';
  return (long && upper) || (digit && special) ? 'moderate' : 'weak';
}
