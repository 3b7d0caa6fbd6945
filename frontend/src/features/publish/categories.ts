/** The categories input (specification §2 and §9): a comma-separated list, completed from what there is. */

const MOST_SUGGESTIONS = 8;

/** What is being typed after the last comma, in Latin or Arabic writing. */
export function lastFragment(text: string): string {
  return (text.split(/[,،]/).at(-1) ?? '').trim();
}

/** Those that start with the last fragment, whatever the case, at most 8; with nothing typed, the first 8. */
export function suggestions(text: string, labels: string[]): string[] {
  const fragment = lastFragment(text).toLocaleLowerCase();
  return labels.filter((label) => label.toLocaleLowerCase().startsWith(fragment)).slice(0, MOST_SUGGESTIONS);
}

/** The entries, trimmed, without empty ones and repetitions. */
export function entries(text: string): string[] {
  return [...new Set(text.split(/[,،]/).map((entry) => entry.trim()))].filter((entry) => entry !== '');
}

/** Replaces the last fragment by what was picked; ends with a comma, ready for the next. */
export function pick(text: string, label: string): string {
  const before = text.split(/[,،]/).slice(0, -1);
  return `${entries([...before, label].join(',')).join(', ')}, `;
}
