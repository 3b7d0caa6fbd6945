import { describe, expect, it } from 'vitest';

import {
  centredArea,
  hasTransparency,
  opaqueArea,
  scaleToFit,
  turnedArea,
  turnedSize,
  WHOLE_PICTURE,
} from './geometry';

it('turns sizes and areas clockwise', () => {
  expect(turnedSize({ width: 30, height: 20 }, 1)).toEqual({ width: 20, height: 30 });
  expect(turnedSize({ width: 30, height: 20 }, 2)).toEqual({ width: 30, height: 20 });
  // The upper left quarter becomes the upper right one.
  const quarter = { x: 0, y: 0, width: 0.5, height: 0.25 };
  expect(turnedArea(quarter)).toEqual({ x: 0.75, y: 0, width: 0.25, height: 0.5 });
  expect(turnedArea(turnedArea(turnedArea(turnedArea(quarter))))).toEqual(quarter);
});

it('finds the largest centred area of a ratio', () => {
  expect(centredArea({ width: 400, height: 200 }, 1)).toEqual({ x: 0.25, y: 0, width: 0.5, height: 1 });
  expect(centredArea({ width: 200, height: 400 }, 2)).toEqual({ x: 0, y: 0.375, width: 1, height: 0.25 });
  expect(centredArea({ width: 300, height: 100 }, 3)).toEqual(WHOLE_PICTURE);
});

it('scales down only', () => {
  expect(scaleToFit({ width: 4000, height: 1000 }, 2000)).toBe(0.5);
  expect(scaleToFit({ width: 300, height: 1000 }, 2000)).toBe(1);
});

describe('pixels', () => {
  const pixels = (width: number, height: number, drawn: [number, number, number][]) => {
    const data = new Uint8ClampedArray(width * height * 4);
    for (const [x, y, alpha] of drawn) data[(y * width + x) * 4 + 3] = alpha;
    return data;
  };

  it('are trimmed to those that are drawn', () => {
    const size = { width: 10, height: 8 };
    expect(
      opaqueArea(
        pixels(10, 8, [
          [3, 2, 255],
          [7, 5, 1],
        ]),
        size,
      ),
    ).toEqual({
      x: 3,
      y: 2,
      width: 5,
      height: 4,
    });
    expect(opaqueArea(pixels(10, 8, [[0, 7, 9]]), size)).toEqual({ x: 0, y: 7, width: 1, height: 1 });
    expect(opaqueArea(pixels(10, 8, []), size)).toBeNull();
  });

  it('are transparent if one is not fully opaque', () => {
    expect(hasTransparency(new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 255]))).toBe(false);
    expect(hasTransparency(new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 254]))).toBe(true);
  });
});
