// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';

import type { FieldSettings } from '../fieldSettings';
import type { FieldValue } from '../values';

import { ListInput } from './ListInput';

let rendered: string[] = [];
const changes = new Map<string, (value: FieldValue) => void>();
vi.mock('./CellInput', () => ({
  CellInput: ({ path, onChange }: { path: string; onChange: (value: FieldValue) => void }) => {
    rendered.push(path);
    changes.set(path, onChange);
    return null;
  },
}));

const settings: FieldSettings = {
  field: 'items',
  kind: 'list',
  columns: [
    { field: 'price', kind: 'amount' },
    { field: 'double', kind: 'amount', derivation: { kind: 'sum', of: ['price', 'price'] } },
  ],
};
const initial = Array.from({ length: 200 }, (_, at) => ({ price: String(at), double: '' }));
const noFocus = () => undefined;

it('a key renders only its own row, in a list of 200 with derived values', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const Form = () => {
    const [rows, setRows] = useState(initial as typeof initial | Record<string, FieldValue>[]);
    // The engine reports all derived values after each key.
    const derivedValues = Object.fromEntries(
      rows.map(({ price }, at) => [`items[${at}].double`, { text: String(2 * Number(price)) }]),
    );
    return (
      <ListInput
        settings={settings}
        rows={rows}
        path="items"
        lang="en"
        country={null}
        derivedValues={derivedValues}
        onFocus={noFocus}
        onChange={setRows}
      />
    );
  };
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <Form />
      </MantineProvider>,
    ),
  );
  expect(new Set(rendered).size).toBe(400);
  rendered = [];
  await act(async () => changes.get('items[7].price')?.('70'));
  expect(rendered).toEqual(['items[7].price', 'items[7].double']);
  await act(async () => root.unmount());
});
