/**
 * Puts a text in the place of what an input holds, as if it were typed: the browser can undo it, and its listeners hear of it. False where
 * the browser does not do that.
 */
export function typeOver(element: HTMLInputElement | HTMLTextAreaElement, text: string): boolean {
  element.focus();
  element.setSelectionRange(0, element.value.length);
  return document.execCommand('insertText', false, text);
}
