import { fold } from '@/shared/fold';

/** Suggestions shown at most (specification §9). */
export const MOST_SUGGESTIONS = 8;

/** The comma of Latin and of Arabic keyboards. */
const COMMA = /[,،]/;

function fragments(text: string): string[] {
  return text.split(COMMA).map((fragment) => fragment.trim());
}

/** What is being typed after the last comma; empty where nothing is. */
export function fragmentOf(text: string): string {
  return fragments(text).at(-1) ?? '';
}

/** The categories that start with what is being typed after the last comma; with nothing there, the first of all. */
export function suggestionsFor(text: string, categories: readonly string[]): string[] {
  const typed = fold(fragmentOf(text));
  return categories.filter((name) => fold(name).startsWith(typed)).slice(0, MOST_SUGGESTIONS);
}

/** `text` with its last fragment replaced by `choice`: trimmed, without empty entries or repeats, ready for the next one. */
export function picked(text: string, choice: string): string {
  const before = fragments(text).slice(0, -1);
  const names = [...before, choice.trim()].filter(Boolean);
  // One picked twice counts once.
  return `${[...new Set(names)].join(', ')},`;
}

/** What is sent of categories and of keywords: joined by commas, trimmed, none empty. */
export function listToSend(text: string): string {
  return fragments(text).filter(Boolean).join(',');
}
