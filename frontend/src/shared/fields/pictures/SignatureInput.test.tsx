// @vitest-environment happy-dom
import { act } from 'react';
import type { PointGroup } from 'signature_pad';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { PictureValue } from './pictureValue';
import { SignatureInput } from './SignatureInput';
import { TestForm } from './testedInput';

/** The drawing areas in the order of their creation. A test draws on the last one that takes input. */
const pads = vi.hoisted(
  () => [] as { strokes: unknown[]; canvas: HTMLCanvasElement; isOff: boolean; end: () => void }[],
);
vi.mock('signature_pad', () => ({
  default: class {
    strokes: unknown[] = [];
    isOff = false;
    end: () => void = () => undefined;
    constructor(readonly canvas: HTMLCanvasElement) {
      pads.push(this);
    }
    addEventListener(_: string, listener: () => void) {
      this.end = listener;
    }
    off() {
      this.isOff = true;
    }
    toData() {
      return this.strokes;
    }
    fromData(strokes: unknown[]) {
      this.strokes = [...strokes];
    }
  },
}));
// Without a real canvas, a signature is the number of its strokes, or its name.
vi.mock('./encodePicture', () => ({
  createCanvas: () => document.createElement('canvas'),
  encodeTrimmed: (canvas: HTMLCanvasElement) => {
    const pad = pads.find((one) => one.canvas === canvas);
    return `data:image/png;base64,strokes${pad?.strokes.length}`;
  },
}));
vi.mock('./signatureInk', () => ({
  INK_COLOR: 'black',
  loadScriptFonts: () => Promise.resolve(false),
  typedSignature: (name: string): PictureValue | undefined =>
    name ? { image: `data:image/png;base64,${name}`, alternativeText: name } : undefined,
}));

const form = new TestForm(SignatureInput, 'seller', 'Seller');

const STROKE = { points: [], dotSize: 1, minWidth: 1, maxWidth: 2 } as unknown as PointGroup;
const shownPad = () => pads.findLast(({ isOff }) => !isOff);
async function draw() {
  await act(async () => {
    const pad = shownPad();
    pad?.strokes.push(STROKE);
    pad?.end();
  });
}
async function switchTo(text: string) {
  const label = [...form.container.querySelectorAll('label')].find((one) => one.textContent === text);
  await act(async () => document.getElementById(label?.htmlFor ?? '')?.click());
}
async function type(name: string) {
  const input = form.container.querySelector<HTMLInputElement>('input[data-input=seller]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, name);
  await act(async () => input?.dispatchEvent(new Event('input', { bubbles: true })));
}
const image = () => form.value?.image.split(',')[1];

beforeEach(() => {
  pads.length = 0;
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(400);
});
afterEach(() => void vi.restoreAllMocks());

it('follows each drawn stroke, and undoes strokes and clearing', async () => {
  await form.show();
  await draw();
  await draw();
  expect(image()).toBe('strokes2');
  await form.press('Undo the last stroke');
  expect(image()).toBe('strokes1');
  await form.press('Clear');
  expect(form.value).toBeUndefined();
  await form.press('Undo clearing');
  expect(image()).toBe('strokes1');
});

it('can be typed, with the name as its alternative text', async () => {
  await form.show();
  await switchTo('Type');
  await type('Amina');
  expect(form.value).toEqual({ image: 'data:image/png;base64,Amina', alternativeText: 'Amina' });
  await type('');
  expect(form.value).toBeUndefined();
});

it('is shown when the form opens, and stays until another one replaces it', async () => {
  const before = { image: 'data:image/png;base64,before' };
  await form.show(before);
  expect(pads).toHaveLength(0);
  await form.press('Sign again');
  expect(form.value).toBe(before);
  await draw();
  expect(image()).toBe('strokes1');
  await form.press('Use the previous signature');
  expect(form.value).toBe(before);
  expect(form.findButton('Sign again')).toBeDefined();
});

it('can be restored after it was removed', async () => {
  const before = { image: 'data:image/png;base64,before' };
  await form.show(before);
  await form.press('Remove');
  expect(form.value).toBeUndefined();
  await form.press('Use the previous signature');
  expect(form.value).toBe(before);
});

it('starts empty after the form was cleared', async () => {
  await form.show();
  await draw();
  await form.setValue(undefined);
  expect(form.findButton('Clear')?.disabled).toBe(true);
  await draw();
  expect(image()).toBe('strokes1');
});
