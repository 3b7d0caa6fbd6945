export type StrengthHint = 'weak' | 'moderate' | 'strong';

/** The characters that count as special here (specification §5). */
const SPECIAL = /[!@#$%^&*(),.?":{}|<>]/;

/** The hint beside a new password in the settings, by its own rules (specification §5); none while there is none. */
export function strengthHint(password: string): StrengthHint | null {
  if (!password) return null;
  const long = [...password].length >= 8;
  const upper = /\p{Lu}/u.test(password);
  const digit = /\p{Nd}/u.test(password);
  const special = SPECIAL.test(password);
  if (long && upper && digit && special) return 'strong';
  return (long && upper) || (digit && special) ? 'moderate' : 'weak';
}
