import type { PictureValue } from '../values';

export type { PictureValue };

/** Returns the value with another alternative text; a blank text is left out. */
export function withAlternativeText({ image }: PictureValue, text: string): PictureValue {
  return text.trim() ? { image, alternativeText: text } : { image };
}
