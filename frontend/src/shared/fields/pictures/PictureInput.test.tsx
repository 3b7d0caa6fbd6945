// @vitest-environment happy-dom
import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';

import { PictureInput } from './PictureInput';
import { PictureError, type DecodedPicture } from './readPicture';
import { TestForm } from './testedInput';

/** The files that are being decoded, by name. A test decides when each is ready. */
const decoding = new Map<string, { finish: () => void; fail: (error: PictureError) => void }>();
vi.mock('./readPicture', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  readPictureFile: (file: File) =>
    new Promise<DecodedPicture>((resolve, reject) => {
      const image = file.name as unknown as CanvasImageSource;
      decoding.set(file.name, {
        finish: () => resolve({ image, width: 40, height: 20 }),
        fail: reject,
      });
    }),
}));
vi.mock('./encodePicture', () => ({
  UNEDITED: { turns: 0, crop: { x: 0, y: 0, width: 1, height: 1 } },
  encodePicture: async ({ image }: DecodedPicture) => `data:image/png;base64,${String(image)}`,
}));

const form = new TestForm(PictureInput, 'logo', 'Logo');

const imageFile = (name: string) => new File(['x'], name, { type: 'image/png' });
async function choose(name: string) {
  const input = form.container.querySelector<HTMLInputElement>('input[type=file]');
  Object.defineProperty(input, 'files', { value: [imageFile(name)], configurable: true });
  await act(async () => input?.dispatchEvent(new Event('change', { bubbles: true })));
}
const finish = (name: string) => act(async () => decoding.get(name)?.finish());
const shown = () => form.container.querySelector('img')?.getAttribute('src') ?? null;

beforeEach(() => decoding.clear());

it('shows and returns a chosen picture', async () => {
  await form.show();
  await choose('a.png');
  expect(form.container.querySelector('[role=status]')?.textContent).toContain('Preparing');
  await finish('a.png');
  expect(form.value).toEqual({ image: 'data:image/png;base64,a.png' });
  expect(shown()).toBe('data:image/png;base64,a.png');
});

it('uses the last of several pictures, in whatever order they are ready', async () => {
  await form.show();
  await choose('slow.png');
  await choose('fast.png');
  await finish('fast.png');
  await finish('slow.png');
  expect(form.value).toEqual({ image: 'data:image/png;base64,fast.png' });
});

it('uses a pasted picture, but leaves pasted text to the input', async () => {
  await form.show();
  const paste = async (files: File[]) => {
    const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
      clipboardData: { files },
    });
    await act(async () => form.container.querySelector('input[type=file]')?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect(await paste([])).toBe(false);
  expect(await paste([imageFile('pasted.png')])).toBe(true);
  await finish('pasted.png');
  expect(form.value).toEqual({ image: 'data:image/png;base64,pasted.png' });
});

it('says why a file is refused, and keeps the value', async () => {
  const before = { image: 'data:image/png;base64,before' };
  await form.show(before);
  await choose('drawing.svg');
  await act(async () => decoding.get('drawing.svg')?.fail(new PictureError('svgOrGif')));
  expect(form.container.querySelector('[role=alert]')?.textContent).toContain('SVG and GIF');
  expect(form.value).toBe(before);
  await choose('good.png');
  expect(form.container.querySelector('[role=alert]')).toBeNull();
});

it('takes back a removal and a replacement, with the alternative text', async () => {
  const before = { image: 'data:image/png;base64,before', alternativeText: 'Our logo' };
  await form.show(before);
  await form.press('Remove');
  expect([form.value, shown()]).toEqual([undefined, null]);
  await form.press('Undo');
  expect(form.value).toEqual(before);
  await choose('other.png');
  await finish('other.png');
  // The description of another picture would be wrong.
  expect(form.value).toEqual({ image: 'data:image/png;base64,other.png' });
  await form.press('Undo');
  expect(form.value).toEqual(before);
  expect(form.container.textContent).not.toContain('Undo');
});

it('drops a picture that was still being prepared when the field was emptied', async () => {
  await form.show({ image: 'data:image/png;base64,before' });
  await choose('late.png');
  await form.press('Remove');
  await finish('late.png');
  expect(form.value).toBeUndefined();
});
