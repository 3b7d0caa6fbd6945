/** The resolutions of pages in pixels per CSS pixel (1/96 inch): the highest on screens, and the lowest on paper. */
const MAX_RATIO = 3;
const MIN_PRINT_RATIO = 2;

/** Returns the number of pixels per CSS pixel with which pages are drawn. */
export function pixelsPerCssPixel(isPrinting: boolean): number {
  const ratio = Math.min(window.devicePixelRatio || 1, MAX_RATIO);
  return isPrinting ? Math.max(ratio, MIN_PRINT_RATIO) : ratio;
}
