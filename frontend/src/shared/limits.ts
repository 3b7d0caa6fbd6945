import { LIMITS } from '@/shared/settings';

/** Counts characters like the server: code points. */
export function characterCount(text: string): number {
  return [...text].length;
}

export function isTooLong(value: string): boolean {
  return value.length > LIMITS.valueCharacters && characterCount(value) > LIMITS.valueCharacters;
}

/** Returns true if all values together exceed their common limit (UTF-8). */
export function isTotalTooLong(values: string[]): boolean {
  const encoder = new TextEncoder();
  return values.reduce((sum, value) => sum + encoder.encode(value).length, 0) > LIMITS.valuesKilobytes * 1000;
}
