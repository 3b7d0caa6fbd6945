export const STRENGTHS = ['very-weak', 'weak', 'fair', 'good', 'strong'] as const;
export type Strength = (typeof STRENGTHS)[number];

/**
 * A new password's strength (specification §5): a point each for eight characters, an upper-case letter, a digit, any other
 * character; the fifth, without which nothing is strong, for twelve characters (design §3).
 */
export function strengthOf(password: string): { points: number; strength: Strength } {
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
