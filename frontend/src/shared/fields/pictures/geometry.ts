/** Sizes and areas of pictures. Lengths are in pixels unless stated otherwise. */

export interface Size {
  width: number;
  height: number;
}

export interface Area extends Size {
  x: number;
  y: number;
}

/** The changes that a user makes to a picture before it is used. */
export interface PictureEdit {
  /** The number of quarter turns clockwise, 0 to 3. */
  turns: number;
  /** The part of the turned picture that is used, as fractions from 0 to 1. */
  crop: Area;
}

export const WHOLE_PICTURE: Area = { x: 0, y: 0, width: 1, height: 1 };

/** Returns the size of a picture after quarter turns. */
export function turnedSize({ width, height }: Size, turns: number): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Returns where an area is after a quarter turn clockwise, as fractions. */
export function turnedArea({ x, y, width, height }: Area): Area {
  return { x: 1 - y - height, y: x, width: height, height: width };
}

/** Returns the largest centred area of a picture with this ratio of width to height, as fractions. */
export function centredArea(size: Size, aspect: number): Area {
  const width = Math.min(1, (size.height * aspect) / size.width);
  const height = Math.min(1, size.width / aspect / size.height);
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

/** Returns the factor by which a picture is scaled down so that no side is longer than `longest`; at most 1. */
export function scaleToFit({ width, height }: Size, longest: number): number {
  return Math.min(1, longest / Math.max(width, height));
}

/**
 * Returns the smallest area that contains all pixels that are not fully transparent, or null if there are none.
 * `pixels` has four bytes per pixel (RGBA), row by row.
 */
export function opaqueArea(pixels: Uint8ClampedArray, { width, height }: Size): Area | null {
  const isRowEmpty = (y: number) => {
    for (let x = 0; x < width; x += 1) if (pixels[(y * width + x) * 4 + 3]) return false;
    return true;
  };
  let top = 0;
  while (top < height && isRowEmpty(top)) top += 1;
  if (top === height) return null;
  let bottom = height - 1;
  while (isRowEmpty(bottom)) bottom -= 1;
  const isColumnEmpty = (x: number) => {
    for (let y = top; y <= bottom; y += 1) if (pixels[(y * width + x) * 4 + 3]) return false;
    return true;
  };
  let left = 0;
  while (isColumnEmpty(left)) left += 1;
  let right = width - 1;
  while (isColumnEmpty(right)) right -= 1;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Returns true if a pixel is not fully opaque. `pixels` has four bytes per pixel (RGBA). */
export function hasTransparency(pixels: Uint8ClampedArray): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return true;
  return false;
}
