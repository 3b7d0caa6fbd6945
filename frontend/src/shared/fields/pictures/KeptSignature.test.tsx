// @vitest-environment happy-dom
import 'fake-indexeddb/auto';
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { loadTexts, startI18n } from '@/shared/i18n/i18n';
import { deleteKeptSignature } from '@/shared/savedAnswers/keptSignature';

import type { PictureValue } from './pictureValue';
import { SignatureInput } from './SignatureInput';

vi.mock('./DrawnSignature', () => ({ DrawnSignature: () => null }));
vi.mock('./signatureInk', () => ({
  loadScriptFonts: () => Promise.resolve(false),
  typedSignature: (name: string): PictureValue | undefined =>
    name ? { image: `data:image/png;base64,${name}`, alternativeText: name } : undefined,
}));

let root: Root;
let container: HTMLElement;
let values: Record<string, PictureValue | undefined>;

function render() {
  root.render(
    <MantineProvider>
      {['Seller', 'Buyer'].map((label) => (
        <SignatureInput
          key={label}
          field={label}
          label={label}
          value={values[label]}
          canKeep
          onChange={(next) => {
            values[label] = next;
            render();
          }}
        />
      ))}
    </MantineProvider>,
  );
}

function fieldOf(label: string): HTMLElement {
  const field = container.querySelector<HTMLElement>(`[data-field=${label}]`);
  if (!field) throw new Error(`no field ${label}`);
  return field;
}
const findButton = (label: string, text: string) =>
  [...fieldOf(label).querySelectorAll('button')].find((one) => one.textContent === text);
const press = (label: string, text: string) => act(async () => findButton(label, text)?.click());
const checkbox = (label: string) => fieldOf(label).querySelector<HTMLInputElement>('input[type=checkbox]');
const tick = (label: string) => act(async () => checkbox(label)?.click());

async function type(label: string, name: string) {
  const typed = [...fieldOf(label).querySelectorAll('label')].find((one) => one.textContent === 'Type');
  await act(async () => document.getElementById(typed?.htmlFor ?? '')?.click());
  const input = container.querySelector<HTMLInputElement>(`input[data-input=${label}]`);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, name);
  await act(async () => input?.dispatchEvent(new Event('input', { bubbles: true })));
}

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('pictures');
});
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  values = {};
  await act(async () => render());
});
afterEach(async () => {
  await act(async () => deleteKeptSignature());
  await act(async () => root.unmount());
  container.remove();
});

it('is offered in other fields only after the user has chosen to keep it', async () => {
  await type('Seller', 'Amina');
  expect(checkbox('Seller')?.checked).toBe(false);
  expect(findButton('Buyer', 'Use my signature')).toBeUndefined();
  await tick('Seller');
  expect(checkbox('Seller')?.checked).toBe(true);
  await press('Buyer', 'Use my signature');
  expect(values['Buyer']).toEqual({ image: 'data:image/png;base64,Amina', alternativeText: 'Amina' });
  expect(checkbox('Buyer')?.checked).toBe(true);
});

it('follows what is typed after it was kept', async () => {
  await type('Seller', 'Am');
  await tick('Seller');
  await type('Seller', 'Amina');
  await press('Buyer', 'Use my signature');
  expect(values['Buyer']?.alternativeText).toBe('Amina');
});

it('stays as it is when a document is signed in another way', async () => {
  await type('Seller', 'Amina');
  await tick('Seller');
  await press('Buyer', 'Use my signature');
  await press('Buyer', 'Sign again');
  await type('Buyer', 'A. K.');
  expect(checkbox('Buyer')?.checked).toBe(false);
  expect(checkbox('Seller')?.checked).toBe(true);
});

it('is deleted when the choice is taken back, and stays in the document', async () => {
  await type('Seller', 'Amina');
  await tick('Seller');
  await tick('Seller');
  expect(findButton('Buyer', 'Use my signature')).toBeUndefined();
  expect(values['Seller']?.alternativeText).toBe('Amina');
});
