import type { Size } from './geometry';

/** The limits of a chosen file. They are checked before the picture is decoded. */
export const MAX_FILE_MEGABYTES = 15;
const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1_000_000;
export const MAX_MEGAPIXELS = 40;
const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000;

/** The reason why a file cannot be used, as the key of its message. */
export type PictureProblem = 'notPicture' | 'svgOrGif' | 'fileTooLarge' | 'tooManyPixels' | 'unreadable';

export class PictureError extends Error {
  constructor(readonly problem: PictureProblem) {
    super(problem);
  }
}

/** A decoded picture, upright by its EXIF orientation. */
export interface DecodedPicture extends Size {
  image: CanvasImageSource;
}

/** Returns the media type of a picture by its first bytes, or null for other files. The file's name is ignored. */
export function pictureType(start: Uint8Array): string | null {
  const ascii = String.fromCharCode(...start.subarray(0, 12));
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (ascii.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (ascii.startsWith('GIF8')) return 'image/gif';
  if (ascii.startsWith('RIFF') && ascii.slice(8) === 'WEBP') return 'image/webp';
  if (ascii.startsWith('BM')) return 'image/bmp';
  // HEIC and AVIF are ISO base media files, which start with the length of a `ftyp` box.
  if (ascii.slice(4, 8) === 'ftyp') return ascii.slice(8) === 'avif' ? 'image/avif' : 'image/heic';
  return null;
}

/** Checks the size and the first bytes of a file. Returns its media type, or throws a `PictureError`. */
export async function checkPictureFile(file: Blob): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new PictureError('fileTooLarge');
  const type = pictureType(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  // An SVG is text. Only its media type tells it from other texts.
  if (type === 'image/gif' || file.type === 'image/svg+xml') throw new PictureError('svgOrGif');
  if (type === null) throw new PictureError('notPicture');
  return type;
}

/** Decodes a file that a user has chosen. Throws a `PictureError` if it cannot be used. */
export async function readPictureFile(file: Blob): Promise<DecodedPicture> {
  const type = await checkPictureFile(file);
  const url = URL.createObjectURL(file.slice(0, file.size, type));
  try {
    return await readPictureUrl(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Decodes the picture at a URL. Throws a `PictureError` if it cannot be read or is too large. */
export async function readPictureUrl(url: string): Promise<DecodedPicture> {
  const image = new Image();
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
      image.src = url;
    });
  } catch {
    throw new PictureError('unreadable');
  }
  // The header is known now. The pixels are decoded when they are needed.
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width === 0 || height === 0) throw new PictureError('unreadable');
  if (width * height > MAX_PIXELS) throw new PictureError('tooManyPixels');
  try {
    await image.decode();
  } catch {
    throw new PictureError('unreadable');
  }
  return { image, width, height };
}
