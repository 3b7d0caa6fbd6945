import { describe, expect, it } from 'vitest';

import type { FieldSettings } from '@/shared/fields/fieldSettings';

import { parseWholeNumber } from './LimitInputs';
import { availableKinds, newDerivation } from './newDerivation';
import { parsePercent } from './RateInput';

const ITEMS: FieldSettings = {
  field: 'items',
  kind: 'list',
  columns: [
    { field: 'name', kind: 'text' },
    { field: 'quantity', kind: 'number' },
    { field: 'price', kind: 'amount' },
    { field: 'total', kind: 'amount' },
    { field: 'photo', kind: 'picture' },
  ],
};

describe('a new derivation', () => {
  it('has only kinds for which there are sources', () => {
    expect(availableKinds([])).toEqual([]);
    expect(availableKinds([{ field: 'logo', kind: 'picture' }])).toEqual([]);
    expect(availableKinds([{ field: 'a', kind: 'text' }])).not.toContain('product');
    expect(availableKinds([{ field: 'list', kind: 'list', columns: [] }])).toEqual(['count']);
    expect(availableKinds([ITEMS])).toEqual(['list_sum', 'minimum', 'maximum', 'count']);
  });

  it('has the most likely sources', () => {
    const columns = ITEMS.columns ?? [];
    expect(newDerivation('product', columns, 'MAD')).toEqual({
      kind: 'product',
      of: ['quantity', 'price'],
      currency: 'MAD',
    });
    expect(newDerivation('list_sum', [ITEMS], null)).toEqual({
      kind: 'list_sum',
      list: 'items',
      column: 'total',
      currency: null,
    });
    expect(newDerivation('count', [{ field: 'a', kind: 'text' }, ITEMS], null)).toEqual({
      kind: 'count',
      list: 'items',
    });
    expect(newDerivation('percentage', columns, 'TND')).toEqual({
      kind: 'percentage',
      of: 'price',
      rate: { number: '20' },
      currency: 'TND',
    });
    const texts: FieldSettings[] = ['a', 'b', 'c'].map((field) => ({ field, kind: 'text' }));
    expect(newDerivation('product', texts, null)).toMatchObject({ of: ['a', 'b'] });
  });
});

it.each([
  ['20', '20'],
  [' 5,5 % ', '5.5'],
  ['٥٫٥٪', '5.5'],
  ['-10', '-10'],
  ['1000.5', null],
  ['1.2345678901', null],
  ['5.', null],
  ['five', null],
  ['', null],
])('reads the percentage %j', (text, percent) => {
  expect(parsePercent(text)).toBe(percent);
});

it.each([
  ['40', 40],
  [' ٤٠ ', 40],
  ['4.5', null],
  ['-1', null],
  ['12345', null],
  ['', null],
])('reads the whole number %j', (text, number) => {
  expect(parseWholeNumber(text)).toBe(number);
});
