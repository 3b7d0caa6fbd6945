import type { PageSelection } from '@/shared/pages/messages';

/** The number of characters around a selection that decide where it is in the document. */
const CONTEXT_CHARACTERS = 200;

function layerOf(node: Node, root: HTMLElement): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  const layer = element?.closest('.textLayer') ?? null;
  return layer && root.contains(layer) ? layer : null;
}

/**
 * Returns what is selected on the pages inside `root`: a text, or the position of the last click. Null if neither is on a
 * page.
 */
export function readPageSelection(root: HTMLElement): PageSelection | null {
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const first = layerOf(range.startContainer, root);
  const last = layerOf(range.endContainer, root);
  if (!first || !last) return null;
  const before = document.createRange();
  before.setStart(first, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const after = document.createRange();
  after.setStart(range.endContainer, range.endOffset);
  after.setEnd(last, last.childNodes.length);
  return {
    text: range.toString(),
    before: before.toString().slice(-CONTEXT_CHARACTERS),
    after: after.toString().slice(0, CONTEXT_CHARACTERS),
  };
}
