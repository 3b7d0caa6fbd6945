/** Returns the path of the list's row or of the field around a value; null for a field that is in no list. */
function pathAround(path: string): string | null {
  const end = path.lastIndexOf('[');
  return end < 0 ? null : path.slice(0, end);
}

/**
 * Moves the focus to the input of a value. An input in a dialog that is not open is replaced by the one that opens it,
 * and a list without this row by its first input.
 */
export function focusInput(container: ParentNode | null, path: string): void {
  for (let now: string | null = path; container && now !== null; now = pathAround(now)) {
    const found = container.querySelector<HTMLElement>(`[data-input="${CSS.escape(now)}"]`);
    if (!found) continue;
    const input = found.matches('[data-list]')
      ? (found.querySelector<HTMLElement>('[data-input]') ??
        found.querySelector<HTMLElement>('button:not([tabindex="-1"])'))
      : found;
    input?.focus();
    return;
  }
}
