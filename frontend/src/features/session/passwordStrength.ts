export const STRENGTHS = ['very-weak', 'weak', 'fair', 'good', 'strong'] as const;
export type PasswordStrength = (typeof STRENGTHS)[number];

/**
 * Rates a new password (specification §5): a point each for eight characters, an upper-case letter, a digit, and
 * any other character. The fifth point is for twelve characters; only with it is a password strong (design §3).
 */
export function passwordStrength(password: string): { points: number; strength: PasswordStrength } {
  const { length } = [...password];
  const points = [
    length >= 8,
    /\p{Lu}/u.test(password),
    /\p{Nd}/u.test(password),
    /[^\p{L}\p{M}\p{Nd}]/u.test(password),
    length >= 12,
  ].filter(Boolean).length;
  return { points, strength: STRENGTHS[Math.max(1, points) - 1] ?? 'very-weak' };
}
