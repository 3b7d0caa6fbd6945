import { foldForSearch } from '@/shared/foldForSearch';

/** The maximum number of suggestions (specification §9). */
export const MAX_SUGGESTIONS = 8;

/** The comma of Latin and Arabic keyboards. */
const COMMA = /[,،]/;

function splitList(text: string): string[] {
  return text.split(COMMA).map((fragment) => fragment.trim());
}

/** Returns the text after the last comma; it may be empty. */
export function lastEntry(text: string): string {
  return splitList(text).at(-1) ?? '';
}

/**
 * Returns the categories that start with the text after the last comma; for an empty text, the first categories.
 */
export function suggestionsFor(text: string, categories: readonly string[]): string[] {
  const typed = foldForSearch(lastEntry(text));
  return categories.filter((name) => foldForSearch(name).startsWith(typed)).slice(0, MAX_SUGGESTIONS);
}

/**
 * Replaces the last entry of `text` by `category`. The result has no empty or repeated entries, and ends with a comma
 * for the next one.
 */
export function pickCategory(text: string, category: string): string {
  const previous = splitList(text).slice(0, -1);
  const names = [...previous, category.trim()].filter(Boolean);
  // A repeated category is listed once.
  return `${[...new Set(names)].join(', ')},`;
}

/** Returns categories or keywords as they are sent: joined by commas, trimmed, without empty entries. */
export function listToSend(text: string): string {
  return splitList(text).filter(Boolean).join(',');
}
