import type { PointGroup } from 'signature_pad';
import { expect, it } from 'vitest';

import { afterClearing, afterDrawing, afterUndo, canUndo, NO_STROKES, scaleStrokes } from './strokes';

const stroke = (x: number): PointGroup => ({
  points: [{ x, y: 2 * x, pressure: 0.5, time: 7 }],
  dotSize: 1,
  minWidth: 1,
  maxWidth: 2,
  penColor: 'black',
  velocityFilterWeight: 0.7,
  compositeOperation: 'source-over',
});

it('undoes stroke by stroke', () => {
  const two = afterDrawing([stroke(1), stroke(2)]);
  const one = afterUndo(two);
  expect(one.strokes).toEqual([stroke(1)]);
  expect(canUndo(one)).toBe(true);
  expect(canUndo(afterUndo(one))).toBe(false);
  expect(canUndo(NO_STROKES)).toBe(false);
});

it('undoes clearing as one step, until a new stroke is drawn', () => {
  const cleared = afterClearing(afterDrawing([stroke(1), stroke(2)]));
  expect(cleared.strokes).toEqual([]);
  expect(afterUndo(cleared).strokes).toEqual([stroke(1), stroke(2)]);
  expect(canUndo(afterClearing(NO_STROKES))).toBe(false);
  expect(afterUndo(afterDrawing([stroke(3)])).strokes).toEqual([]);
});

it('scales strokes with the drawing area', () => {
  const [scaled] = scaleStrokes([stroke(10)], 1.5);
  expect(scaled).toMatchObject({ minWidth: 1.5, maxWidth: 3, penColor: 'black' });
  expect(scaled?.points).toEqual([{ x: 15, y: 30, pressure: 0.5, time: 7 }]);
});
