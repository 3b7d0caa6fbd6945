// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { encodePicture } from './encodePicture';
import type { DecodedPicture } from './readPicture';

/** The encodings that were tried: type, quality and size in pixels. */
let attempts: [string, number | undefined, number, number][] = [];
/** The size of an encoded picture in bytes, for a canvas and quality. */
let encodedSize: (pixels: number, quality: number) => number = () => 1000;
let alpha = 255;

beforeEach(() => {
  attempts = [];
  alpha = 255;
  encodedSize = () => 1000;
  const context = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) =>
      name === 'getImageData' ? () => ({ data: new Uint8ClampedArray([0, 0, 0, alpha]) }) : () => undefined,
    set: () => true,
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
    this: HTMLCanvasElement,
    callback,
    type = '',
    quality?: number,
  ) {
    attempts.push([type, quality, this.width, this.height]);
    callback(new Blob([new Uint8Array(encodedSize(this.width * this.height, quality ?? 1))], { type }));
  });
});
afterEach(() => vi.restoreAllMocks());

const picture = (width: number, height: number): DecodedPicture => ({
  image: {} as CanvasImageSource,
  width,
  height,
});

it('is a JPEG of at most 2,000 pixels a side', async () => {
  const url = await encodePicture(picture(6000, 3000));
  expect(url).toMatch(/^data:image\/jpeg;base64,/);
  expect(attempts).toEqual([['image/jpeg', 0.9, 2000, 1000]]);
});

it('is a PNG with transparent pixels', async () => {
  alpha = 0;
  expect(await encodePicture(picture(300, 100))).toMatch(/^data:image\/png;base64,/);
  expect(attempts).toEqual([['image/png', undefined, 300, 100]]);
});

it('has the size of the part that is used after turning', async () => {
  await encodePicture(picture(1000, 600), { turns: 1, crop: { x: 0, y: 0.5, width: 0.5, height: 0.25 } });
  expect(attempts.map(([, , ...size]) => size)).toEqual([[300, 250]]);
});

it('loses quality, then pixels, until it has at most 1 MB', async () => {
  encodedSize = (pixels, quality) => pixels * quality;
  await encodePicture(picture(2000, 2000));
  expect(attempts).toEqual([
    ['image/jpeg', 0.9, 2000, 2000],
    ['image/jpeg', 0.75, 2000, 2000],
    ['image/jpeg', 0.6, 2000, 2000],
    ['image/jpeg', 0.9, 1500, 1500],
    ['image/jpeg', 0.75, 1500, 1500],
    ['image/jpeg', 0.6, 1500, 1500],
    ['image/jpeg', 0.9, 1125, 1125],
    ['image/jpeg', 0.75, 1125, 1125],
  ]);
});
