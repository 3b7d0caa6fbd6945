// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { loadTexts, startI18n } from '@/shared/i18n/i18n';
import type { FieldSettings, SuggestedDerivation } from '@/shared/fields/fieldSettings';

import type { OverridesByField } from './fieldSettings';
import { FieldsEditor } from './FieldsEditor';

const DETECTED: FieldSettings[] = [
  {
    field: 'items',
    kind: 'list',
    label: 'Items',
    columns: [
      { field: 'quantity', kind: 'number', label: 'Quantity' },
      { field: 'price', kind: 'amount', label: 'Unit price' },
      { field: 'total', kind: 'amount', label: 'Total' },
    ],
  },
  { field: 'guarantor', kind: 'yes_no', label: 'Guarantor' },
  { field: 'logo', kind: 'picture', label: 'Logo' },
  { field: 'sum', kind: 'amount', label: 'Sum' },
];
const SUGGESTIONS: SuggestedDerivation[] = [
  { path: 'items[].total', derivation: { kind: 'product', of: ['quantity', 'price'] } },
  { path: 'sum', derivation: { kind: 'list_sum', list: 'items', column: 'total' } },
];

let root: Root;
let container: HTMLElement;
let overrides: OverridesByField;

function render() {
  root.render(
    <MantineProvider env="test">
      <FieldsEditor
        detected={DETECTED}
        overrides={overrides}
        suggestions={SUGGESTIONS}
        lang="en"
        country="MA"
        disabled={false}
        onChange={(next) => {
          overrides = next;
          render();
        }}
      />
    </MantineProvider>,
  );
}

/** Opens the settings of a field or column, by its label. */
async function open(label: string): Promise<HTMLElement> {
  const details = [...container.querySelectorAll('details')].find(
    (one) => one.querySelector(':scope > summary bdi')?.textContent === label,
  );
  if (!details) throw new Error(`no field ${label}`);
  await act(async () => {
    details.open = true;
  });
  return details;
}
const inputOf = (details: HTMLElement, label: string) => {
  const found = [...details.querySelectorAll('label')].find((one) => one.textContent === label);
  return found && document.getElementById(found.htmlFor);
};
async function type(input: HTMLElement | null | undefined, text: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  await act(async () => input?.dispatchEvent(new Event('input', { bubbles: true })));
}
async function press(within: HTMLElement, text: string) {
  const button = [...within.querySelectorAll('button')].find((one) => one.textContent === text);
  await act(async () => button?.click());
}
/** Returns the kinds that can be chosen for a field. */
async function kindsOf(details: HTMLElement): Promise<(string | null)[]> {
  const input = inputOf(details, 'Kind');
  await act(async () => input?.click());
  const list = document.getElementById(input?.getAttribute('aria-controls') ?? '');
  return [...(list?.querySelectorAll('[role=option]') ?? [])].map((one) => one.textContent);
}

beforeAll(async () => {
  await startI18n('en');
  await loadTexts('templates');
});
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  overrides = {};
  await act(async () => render());
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
});

it('shows the columns of a list below it, with settings of their own', async () => {
  const columns = container.querySelector('ol[aria-label="Columns of Items"]');
  expect([...(columns?.querySelectorAll('bdi') ?? [])].map((one) => one.textContent)).toEqual([
    'Quantity',
    'Unit price',
    'Total',
  ]);
  await type(inputOf(await open('Unit price'), 'Hint'), 'Without tax');
  expect(overrides).toEqual({ items: { columns: { price: { hint: 'Without tax' } } } });
  await type(inputOf(await open('Unit price'), 'Hint'), '');
  expect(overrides).toEqual({});
});

it('limits the rows of a list, and accepts only numbers that fit', async () => {
  const items = await open('Items');
  await type(inputOf(items, 'Maximum rows'), '40');
  await type(inputOf(items, 'Minimum rows'), '41');
  expect(overrides).toEqual({ items: { maxRows: 40 } });
  expect(items.textContent).toContain('Enter a whole number from 0 to 40.');
  await type(inputOf(items, 'Minimum rows'), '2');
  expect(overrides).toEqual({ items: { minRows: 2, maxRows: 40 } });
});

it('limits the size of a picture, which has no example and no derivation', async () => {
  const logo = await open('Logo');
  await type(inputOf(logo, 'Maximum width (mm)'), '60');
  expect(overrides).toEqual({ logo: { maxWidth: 60 } });
  expect(inputOf(logo, 'Example')).toBeUndefined();
  expect(inputOf(logo, 'Calculated from fields')).toBeUndefined();
});

it('offers list and yes/no only for sections, and other kinds only for other fields', async () => {
  expect(await kindsOf(await open('Guarantor'))).toEqual(['List', 'Yes or no']);
  const kinds = await kindsOf(await open('Logo'));
  expect(kinds).toContain('QR code');
  expect(kinds).not.toContain('List');
});

it('applies one suggestion, or all', async () => {
  const total = await open('Total');
  expect(total.textContent).toContain('Product: \u2068Quantity\u2069 and \u2068Unit price\u2069');
  await press(total, 'Use this');
  const product = { kind: 'product', of: ['quantity', 'price'] };
  expect(overrides).toEqual({ items: { columns: { total: { derivation: product } } } });
  await press(container, 'Use all');
  expect(overrides['sum']).toEqual({
    derivation: { kind: 'list_sum', list: 'items', column: 'total' },
  });
  expect(container.textContent).not.toContain('can be calculated');
});
