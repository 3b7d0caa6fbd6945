import { LIMITS } from '@/shared/settings';

/** Characters as the server counts them: code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

export function isTooLong(value: string): boolean {
  return value.length > LIMITS.valueCharacters && lengthOf(value) > LIMITS.valueCharacters;
}

/** Whether all values together pass the limit of the whole (UTF-8). */
export function areTooLong(values: string[]): boolean {
  const encoder = new TextEncoder();
  return values.reduce((sum, value) => sum + encoder.encode(value).length, 0) > LIMITS.valuesKilobytes * 1000;
}
