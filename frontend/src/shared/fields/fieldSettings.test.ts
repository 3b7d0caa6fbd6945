import { describe, expect, it } from 'vitest';

import { templateDerivations } from '@/shared/templates/derivations';

import { pageValues, type FieldSettings } from './fieldSettings';
import { firstProblem } from './firstProblem';

const settings: FieldSettings[] = [
  { field: 'name', kind: 'text' },
  {
    field: 'items',
    kind: 'list',
    minRows: 1,
    maxRows: 2,
    columns: [
      { field: 'price', kind: 'amount' },
      {
        field: 'parts',
        kind: 'list',
        columns: [{ field: 'size', kind: 'text', derivation: { kind: 'product', of: ['a', 'b'] } }],
      },
    ],
  },
  { field: 'total', kind: 'amount', derivation: { kind: 'list_sum', list: 'items', column: 'price' } },
];

describe('the first problem of a form', () => {
  const long = 'x'.repeat(10_001);

  it.each([
    [{ items: [{}] }, null],
    [{ name: long, items: [{}] }, 'name'],
    [{ items: [] }, 'items'],
    [{}, 'items'],
    [{ items: [{}, {}, {}] }, 'items'],
    [{ items: [{}, { price: long }] }, 'items[1].price'],
    [{ items: [{ parts: [{}, { size: long }] }] }, 'items[0].parts[1].size'],
  ])('in %# is a path', (values, path) => {
    expect(firstProblem(settings, values)).toBe(path);
  });
});

it('pages get texts as they were typed, and complete rows', () => {
  expect(pageValues(settings, { name: ' ', old: 'x', items: [{ price: '5', gone: 'y' }] })).toEqual({
    name: ' ',
    old: 'x',
    items: [{ price: '5', parts: [] }],
  });
});

it('the derivations of columns are named after their lists', () => {
  expect(Object.keys(templateDerivations(settings, 'en', null)?.derivations ?? {})).toEqual([
    'items[].parts[].size',
    'total',
  ]);
  expect(templateDerivations([{ field: 'name' }], 'en', null)).toBeNull();
});
