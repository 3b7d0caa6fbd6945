/**
 * Replaces the text of an input as if it were typed: the browser can undo it, and listeners are called. Returns
 * false if the browser does not support that.
 */
export function replaceAsTyped(element: HTMLInputElement | HTMLTextAreaElement, text: string): boolean {
  element.focus();
  element.setSelectionRange(0, element.value.length);
  return document.execCommand('insertText', false, text);
}
