/** The side of the square a photo becomes, as the server keeps it (design §3). */
const SIDE_PX = 512;

export type PhotoProblem = 'photoNotImage' | 'photoUnreadable';

/** What kept a file from becoming a photo, as the key of its message. */
export class PhotoError extends Error {
  constructor(readonly problem: PhotoProblem) {
    super(problem);
  }
}

/** A photo ready to be sent, and the address (`data:`) it is shown by until then. */
export interface Photo {
  file: Blob;
  url: string;
}

const TYPE = 'image/jpeg';
const QUALITY = 0.9;

/** The square in the middle of a picture, in its own pixels. */
export function middleSquare(width: number, height: number): { x: number; y: number; side: number } {
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, side };
}

/**
 * The middle of a picture as a JPEG of at most 512 × 512 pixels, turned as its EXIF says: a photo of a camera is sent as
 * some 50 kB. Throws a `PhotoError` on what is no picture, or none that this browser can show.
 */
export async function shrunkPhoto(file: Blob): Promise<Photo> {
  if (!file.type.startsWith('image/')) throw new PhotoError('photoNotImage');
  const url = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    // A drawing without a size of its own (SVG) has none to give.
    const { x, y, side } = middleSquare(picture.naturalWidth || SIDE_PX, picture.naturalHeight || SIDE_PX);
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.min(SIDE_PX, Math.ceil(side));
    const pen = canvas.getContext('2d');
    if (!pen) throw new PhotoError('photoUnreadable');
    // What is transparent becomes paper: a JPEG knows no other.
    pen.fillStyle = '#FFFFFF';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(picture, x, y, side, side, 0, 0, canvas.width, canvas.height);
    return { file: await jpegOf(canvas), url: canvas.toDataURL(TYPE, QUALITY) };
  } catch {
    throw new PhotoError('photoUnreadable');
  } finally {
    URL.revokeObjectURL(url);
  }
}

function jpegOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), TYPE, QUALITY);
  });
}
