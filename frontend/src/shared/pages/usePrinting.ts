import { useEffect, useRef, useState, type RefObject } from 'react';

import type { PageSize } from './messages';

/** Documents with more pages are printed as far as they are drawn, because each drawn page takes some megabytes. */
const MAX_PRINTED_PAGES = 100;

/**
 * Prepares the pages in `viewer` for printing. Pages are drawn only near the window, so `print` and the shortcut for
 * printing wait until all are drawn. `isPrinting` is true while all pages are to be drawn for paper. The browser's menu
 * does not wait; the pages that it misses are there at the next attempt.
 */
export function usePrinting(
  viewer: RefObject<HTMLElement | null>,
  pageCount: number | undefined,
  pageSize: PageSize | undefined,
): { isPrinting: boolean; print: () => void } {
  const [drawsAll, setDrawsAll] = useState(false);
  const printAll = useRef(() => window.print());

  useEffect(() => {
    if (!pageCount || pageCount > MAX_PRINTED_PAGES) return undefined;
    let observer: MutationObserver | undefined;
    let frame = 0;
    const isReady = () => viewer.current?.querySelectorAll('[data-printable]').length === pageCount;
    const printWhenReady = () => {
      if (!isReady()) return;
      observer?.disconnect();
      observer = undefined;
      printWhenShown();
    };
    /** Waits until the canvases show what the worker has drawn, which takes some frames. */
    const printWhenShown = () => {
      const canvases = [...(viewer.current?.querySelectorAll('canvas') ?? [])];
      if (canvases.every(isOpaque)) window.print();
      else frame = requestAnimationFrame(printWhenShown);
    };
    const drawAndPrint = () => {
      if (!viewer.current) return;
      setDrawsAll(true);
      observer?.disconnect();
      observer = new MutationObserver(printWhenReady);
      observer.observe(viewer.current, {
        subtree: true,
        childList: true,
        attributeFilter: ['data-printable'],
      });
      printWhenReady();
    };
    const handleKey = (event: KeyboardEvent) => {
      if (!isPrintShortcut(event) || !viewer.current) return;
      event.preventDefault();
      drawAndPrint();
    };
    printAll.current = drawAndPrint;
    const handlePrint = () => setDrawsAll(true);
    const handlePrinted = () => setDrawsAll(!isReady());
    window.addEventListener('keydown', handleKey);
    window.addEventListener('beforeprint', handlePrint);
    window.addEventListener('afterprint', handlePrinted);
    return () => {
      printAll.current = () => window.print();
      observer?.disconnect();
      cancelAnimationFrame(frame);
      window.removeEventListener('keydown', handleKey);
      window.removeEventListener('beforeprint', handlePrint);
      window.removeEventListener('afterprint', handlePrinted);
    };
  }, [viewer, pageCount]);

  const { width, height } = pageSize ?? {};
  useEffect(() => {
    if (!width || !height) return undefined;
    // The paper has the size of the first page (styles.css names the page).
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@page document { size: ${width}pt ${height}pt; margin: 0; }`);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [width, height]);

  return { isPrinting: drawsAll, print: () => printAll.current() };
}

/** Returns true if a canvas shows a page. A page has an opaque background. */
function isOpaque(canvas: HTMLCanvasElement): boolean {
  const probe = document.createElement('canvas');
  [probe.width, probe.height] = [1, 1];
  const context = probe.getContext('2d');
  context?.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
  return (context?.getImageData(0, 0, 1, 1).data[3] ?? 0) > 0;
}

/** Returns true for Ctrl or ⌘ with P, also on keyboards whose P has a letter of another script. */
function isPrintShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return false;
  return key.toLowerCase() === 'p' || (code === 'KeyP' && !/^[a-z]$/i.test(key));
}
