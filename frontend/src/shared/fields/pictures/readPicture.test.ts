import { expect, it } from 'vitest';

import { checkPictureFile, pictureType } from './readPicture';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';

it.each([
  [PNG, 'image/png'],
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x18ftypheic', 'image/heic'],
  ['\0\0\0\x18ftypavif', 'image/avif'],
  ['BM\0\0', 'image/bmp'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['%PDF-1.7', null],
  ['', null],
])('detects the format by the first bytes: %j', (start, type) => {
  expect(pictureType(bytes(start))).toBe(type);
});

it.each([
  ['an SVG', new Blob(['<svg/>'], { type: 'image/svg+xml' }), 'svgOrGif'],
  ['a GIF that is called PNG', new Blob(['GIF89a'], { type: 'image/png' }), 'svgOrGif'],
  ['a PDF that is called PNG', new Blob(['%PDF-1.7'], { type: 'image/png' }), 'notPicture'],
  ['an empty file', new Blob([], { type: 'image/jpeg' }), 'notPicture'],
  ['a file of more than 15 MB', new Blob([bytes(PNG), new Uint8Array(15_000_000)]), 'fileTooLarge'],
])('refuses %s before decoding it', async (_, file, problem) => {
  await expect(checkPictureFile(file)).rejects.toMatchObject({ problem });
});

it('ignores the media type that the system gives to a file', async () => {
  const file = new Blob([bytes(PNG)], { type: 'text/plain' });
  await expect(checkPictureFile(file)).resolves.toBe('image/png');
});
