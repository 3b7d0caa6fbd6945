import type { PointGroup } from 'signature_pad';

/** The strokes of a drawn signature, with the steps that can be undone. Lengths are in CSS pixels of the drawing area. */
export interface StrokeHistory {
  strokes: PointGroup[];
  /** The strokes before the last clearing; null if it can no longer be undone. */
  cleared: PointGroup[] | null;
}

export const NO_STROKES: StrokeHistory = { strokes: [], cleared: null };

/** Returns the history after a stroke was drawn. */
export function afterDrawing(strokes: PointGroup[]): StrokeHistory {
  return { strokes, cleared: null };
}

export function afterClearing({ strokes }: StrokeHistory): StrokeHistory {
  return { strokes: [], cleared: strokes.length > 0 ? strokes : null };
}

/** Returns the history without its last step: the last clearing, or else the last stroke. */
export function afterUndo({ strokes, cleared }: StrokeHistory): StrokeHistory {
  return cleared ? afterDrawing(cleared) : afterDrawing(strokes.slice(0, -1));
}

export function canUndo({ strokes, cleared }: StrokeHistory): boolean {
  return cleared !== null || strokes.length > 0;
}

/** Returns strokes for a drawing area that is `factor` times as wide and as high. */
export function scaleStrokes(strokes: readonly PointGroup[], factor: number): PointGroup[] {
  return strokes.map((stroke) => ({
    ...stroke,
    dotSize: stroke.dotSize * factor,
    minWidth: stroke.minWidth * factor,
    maxWidth: stroke.maxWidth * factor,
    points: stroke.points.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  }));
}
