import { fold } from '@/shared/fold';

/** The maximum number of suggestions (specification §9). */
export const MOST_SUGGESTIONS = 8;

/** The comma of Latin and Arabic keyboards. */
const COMMA = /[,،]/;

function fragments(text: string): string[] {
  return text.split(COMMA).map((fragment) => fragment.trim());
}

/** Returns the text after the last comma; it may be empty. */
export function fragmentOf(text: string): string {
  return fragments(text).at(-1) ?? '';
}

/**
 * Returns the categories that start with the text after the last comma; for an empty text, the first categories.
 */
export function suggestionsFor(text: string, categories: readonly string[]): string[] {
  const typed = fold(fragmentOf(text));
  return categories.filter((name) => fold(name).startsWith(typed)).slice(0, MOST_SUGGESTIONS);
}

/**
 * Replaces the last entry of `text` by `choice`. The result has no empty or repeated entries, and ends with a comma
 * for the next one.
 */
export function picked(text: string, choice: string): string {
  const before = fragments(text).slice(0, -1);
  const names = [...before, choice.trim()].filter(Boolean);
  // A repeated category is listed once.
  return `${[...new Set(names)].join(', ')},`;
}

/** Returns categories or keywords as they are sent: joined by commas, trimmed, without empty entries. */
export function listToSend(text: string): string {
  return fragments(text).filter(Boolean).join(',');
}
