import type { KeyboardEvent } from 'react';

type TextInput = HTMLInputElement | HTMLTextAreaElement;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
/** A letter with a direction: the first one determines the direction of a text. */
const LETTER = /\p{L}/u;

function isTextInput(element: Element): element is TextInput {
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && element.type !== 'checkbox')
  );
}

function isRightToLeftText(text: string, fallback: boolean): boolean {
  const [first] = LETTER.exec(text) ?? [];
  return first === undefined ? fallback : RIGHT_TO_LEFT.test(first);
}

/**
 * Returns the step that an arrow key makes from a cell, in rows and columns; null if the key moves the caret within
 * the text instead. `rightToLeft` is the direction of the grid.
 */
export function arrowStep(
  key: string,
  element: Element,
  rightToLeft: boolean,
): { rows: number; columns: number } | null {
  const isUpOrDown = key === 'ArrowUp' || key === 'ArrowDown';
  if (!isUpOrDown && key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  if (isTextInput(element) && !isCaretAtEdge(key, element, rightToLeft)) return null;
  if (isUpOrDown) return { rows: key === 'ArrowUp' ? -1 : 1, columns: 0 };
  return { rows: 0, columns: (key === 'ArrowRight') === rightToLeft ? -1 : 1 };
}

/** Returns true if the caret is where a key cannot move it further: in the first or last line, or at an end. */
function isCaretAtEdge(key: string, element: TextInput, rightToLeft: boolean): boolean {
  const { value, selectionStart, selectionEnd } = element;
  if (selectionStart === null || selectionEnd === null) return true;
  // A cell that was reached by Tab or by a click on its text is selected as a whole.
  if (selectionStart !== selectionEnd && selectionEnd - selectionStart < value.length) return false;
  if (key === 'ArrowUp') return !value.slice(0, selectionStart).includes('\n');
  if (key === 'ArrowDown') return !value.slice(selectionEnd).includes('\n');
  const movesToStart = (key === 'ArrowLeft') !== isRightToLeftText(value, rightToLeft);
  return movesToStart ? selectionStart === 0 : selectionEnd === value.length;
}

/** The meaning of a key in a cell. */
export type RowCommand = 'next' | 'insert' | 'up' | 'down';

/** Returns the command that a key gives to the row of a cell; null for all other keys. */
export function rowCommand(event: KeyboardEvent, element: Element): RowCommand | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey && !ctrlKey && !metaKey && (key === 'ArrowUp' || key === 'ArrowDown'))
    return key === 'ArrowUp' ? 'up' : 'down';
  if (key !== 'Enter' || shiftKey || altKey || event.nativeEvent.isComposing) return null;
  if (ctrlKey || metaKey) return 'insert';
  // Enter presses a button, and picks a choice that is highlighted.
  if (element instanceof HTMLButtonElement || element.getAttribute('aria-activedescendant')) return null;
  return 'next';
}
