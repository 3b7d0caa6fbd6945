/** The side of the square photo in pixels, as the server stores it (design §3). */
const MAX_SIDE_PX = 512;

export type PhotoProblem = 'photoNotImage' | 'photoUnreadable';

/** The reason why a file cannot be used as a photo, as the key of its message. */
export class PhotoError extends Error {
  constructor(readonly problem: PhotoProblem) {
    super(problem);
  }
}

/** A photo ready to be sent, and a `data:` URL to show it until then. */
export interface Photo {
  file: Blob;
  url: string;
}

const PHOTO_TYPE = 'image/jpeg';
const JPEG_QUALITY = 0.9;

/** Returns the square in the middle of a picture, in the picture's own pixels. */
export function centerSquare(width: number, height: number): { x: number; y: number; side: number } {
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, side };
}

/**
 * Returns the middle of a picture as a JPEG of at most 512 × 512 pixels, rotated by its EXIF data. A camera photo
 * becomes some 50 kB. Throws a `PhotoError` for a file that is not a picture, or that this browser cannot show.
 */
export async function shrinkPhoto(file: Blob): Promise<Photo> {
  if (!file.type.startsWith('image/')) throw new PhotoError('photoNotImage');
  const url = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    // An SVG drawing may have no size of its own.
    const { x, y, side } = centerSquare(
      picture.naturalWidth || MAX_SIDE_PX,
      picture.naturalHeight || MAX_SIDE_PX,
    );
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.min(MAX_SIDE_PX, Math.ceil(side));
    const context = canvas.getContext('2d');
    if (!context) throw new PhotoError('photoUnreadable');
    // Transparent pixels become white, because a JPEG has no transparency.
    context.fillStyle = '#FFFFFF';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, x, y, side, side, 0, 0, canvas.width, canvas.height);
    return { file: await toJpeg(canvas), url: canvas.toDataURL(PHOTO_TYPE, JPEG_QUALITY) };
  } catch {
    throw new PhotoError('photoUnreadable');
  } finally {
    URL.revokeObjectURL(url);
  }
}

function toJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('no picture'))),
      PHOTO_TYPE,
      JPEG_QUALITY,
    );
  });
}
