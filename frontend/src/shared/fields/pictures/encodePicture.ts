import {
  hasTransparency,
  opaqueArea,
  scaleToFit,
  turnedSize,
  WHOLE_PICTURE,
  type PictureEdit,
  type Size,
} from './geometry';
import { PictureError, type DecodedPicture } from './readPicture';

/** The longest side of a picture in a value, in pixels. */
export const MAX_SIDE_PX = 2000;
/** The server's limit for the file of a picture in a value (crates/rules/src/values.rs). */
const MAX_PICTURE_BYTES = 1_000_000;
const JPEG_QUALITIES = [0.9, 0.75, 0.6];
/** The factor between two attempts at a smaller picture. */
const SHRINK_FACTOR = 0.75;
/** The margin around trimmed strokes, in pixels. */
const TRIM_MARGIN_PX = 8;

export const UNEDITED: PictureEdit = { turns: 0, crop: WHOLE_PICTURE };

/** Returns the 2D context of a canvas. Throws a `PictureError` if the browser has no memory for it. */
export function contextOf(
  canvas: HTMLCanvasElement,
  settings?: CanvasRenderingContext2DSettings,
): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', settings);
  if (!context) throw new PictureError('unreadable');
  return context;
}

/** Creates a canvas that is not on the page. */
export function createCanvas({ width, height }: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  return canvas;
}

/** Returns the size of an edited picture before it is scaled. */
export function editedSize(picture: Size, { turns, crop }: PictureEdit): Size {
  const turned = turnedSize(picture, turns);
  return { width: turned.width * crop.width, height: turned.height * crop.height };
}

/** Draws a turned and cropped picture on the whole canvas. */
export function drawEdited(
  canvas: HTMLCanvasElement,
  picture: DecodedPicture,
  { turns, crop }: PictureEdit,
): void {
  const context = contextOf(canvas);
  const turned = turnedSize(picture, turns);
  const edited = editedSize(picture, { turns, crop });
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.save();
  context.imageSmoothingQuality = 'high';
  context.scale(canvas.width / edited.width, canvas.height / edited.height);
  context.translate(-crop.x * turned.width, -crop.y * turned.height);
  // The turned picture keeps its upper left corner at the origin.
  context.translate(turned.width / 2, turned.height / 2);
  context.rotate((turns * Math.PI) / 2);
  context.drawImage(picture.image, -picture.width / 2, -picture.height / 2, picture.width, picture.height);
  context.restore();
}

/**
 * Encodes an edited picture again: as PNG if it has transparent pixels, else as JPEG. It has at most 2,000 pixels a
 * side and 1 MB, and no EXIF or other metadata. Returns a `data:` URL.
 */
export async function encodePicture(picture: DecodedPicture, edit: PictureEdit = UNEDITED): Promise<string> {
  const size = editedSize(picture, edit);
  let scale = scaleToFit(size, MAX_SIDE_PX);
  for (;;) {
    const canvas = createCanvas({ width: size.width * scale, height: size.height * scale });
    drawEdited(canvas, picture, edit);
    const { data } = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
    const attempts: [string, number?][] = hasTransparency(data)
      ? [['image/png']]
      : JPEG_QUALITIES.map((quality) => ['image/jpeg', quality]);
    for (const [type, quality] of attempts) {
      const blob = await canvasBlob(canvas, type, quality);
      if (blob.size <= MAX_PICTURE_BYTES) return dataUrl(blob);
    }
    scale *= SHRINK_FACTOR;
  }
}

/**
 * Returns the drawn part of a canvas as a transparent PNG (`data:` URL), or null if nothing is drawn on it.
 */
export function encodeTrimmed(canvas: HTMLCanvasElement): string | null {
  const { data } = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
  const area = opaqueArea(data, canvas);
  if (!area) return null;
  const trimmed = createCanvas({
    width: area.width + 2 * TRIM_MARGIN_PX,
    height: area.height + 2 * TRIM_MARGIN_PX,
  });
  contextOf(trimmed).drawImage(canvas, TRIM_MARGIN_PX - area.x, TRIM_MARGIN_PX - area.y);
  return trimmed.toDataURL('image/png');
}

function canvasBlob(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new PictureError('unreadable'))), type, quality);
  });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new PictureError('unreadable'));
    reader.readAsDataURL(blob);
  });
}
