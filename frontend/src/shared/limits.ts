import { countRows, picturesOf, textsOf, type FieldValue } from '@/shared/fields/values';
import { LIMITS } from '@/shared/settings';

/** Counts characters like the server: code points. */
export function characterCount(text: string): number {
  return [...text].length;
}

export function isTooLong(value: string): boolean {
  return value.length > LIMITS.valueCharacters && characterCount(value) > LIMITS.valueCharacters;
}

const encoder = new TextEncoder();

/** Counts the bytes of a text in UTF-8. */
export function byteCount(text: string): number {
  return encoder.encode(text).length;
}

/** Returns true if all texts of all values together exceed their common limit (UTF-8). */
export function isTotalTooLong(values: readonly FieldValue[]): boolean {
  const limit = LIMITS.valuesKilobytes * 1000;
  const texts = values.flatMap(textsOf);
  // A UTF-16 code unit has at most three bytes in UTF-8, so most forms need not be encoded.
  if (texts.reduce((sum, text) => sum + text.length, 0) * 3 <= limit) return false;
  return texts.reduce((sum, text) => sum + byteCount(text), 0) > limit;
}

/** Returns true if all pictures together are too large. They are data URLs, where four letters stand for three bytes. */
export function arePicturesTooLarge(values: readonly FieldValue[]): boolean {
  const bytesOf = (url: string) => ((url.length - url.indexOf(',') - 1) * 3) / 4;
  const bytes = values.flatMap(picturesOf).reduce((sum, { image }) => sum + bytesOf(image), 0);
  return bytes > LIMITS.picturesMegabytes * 1_000_000;
}

/** Returns true if all lists together have too many rows. */
export function hasTooManyRows(values: readonly FieldValue[]): boolean {
  return values.reduce((sum, value) => sum + countRows(value), 0) > LIMITS.rows;
}
