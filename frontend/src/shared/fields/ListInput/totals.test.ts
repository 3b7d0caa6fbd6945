import { describe, expect, it } from 'vitest';

import { numberStyle } from '../amounts';
import type { FieldSettings } from '../fieldSettings';

import { columnTotals, sumOfTexts } from './totals';

const english = numberStyle('en', null);
const french = numberStyle('fr', 'MA');

describe('a sum of texts', () => {
  it.each([
    [['1,500.50', '0.1', '0.2'], '1,500.80'],
    [['$1,000', 'SAR 2 000', '5 DH', ''], '3,005'],
    [['-5', '2.25'], '-2.75'],
    [['٣٫٥', '۱'], '4.5'],
    [['12345678901234567890.01', '0.99'], '12345678901234567891.00'],
  ])('%j is %s in English', (texts, sum) => {
    expect(sumOfTexts(texts, english)).toBe(sum);
  });

  it.each([
    [['1 500,50', '1\u00a0000', '1\u202f000,5'], '3\u00a0501,00'],
    [['12.50', '0,5'], '13,00'],
  ])('%j is %s in French', (texts, sum) => {
    expect(sumOfTexts(texts, french)).toBe(sum);
  });

  it('is missing if a text is no number, several numbers or ambiguous, or if there is none', () => {
    for (const text of ['x', '1 or 2', '1.500,00', '1,5', '(500)', '.50', '1,2,3'])
      expect(sumOfTexts(['1', text], english), text).toBeNull();
    expect(sumOfTexts(['1.500'], french)).toBeNull();
    expect(sumOfTexts(['', ' '], english)).toBeNull();
  });
});

it('totals are below numeric columns that are no factors, with the derived values of cells that are not filled in', () => {
  const columns: FieldSettings[] = [
    { field: 'what', kind: 'text' },
    { field: 'price', kind: 'amount' },
    { field: 'paid', kind: 'amount' },
    { field: 'total', kind: 'text', derivation: { kind: 'product', of: ['price', 'quantity'] } },
    { field: 'rate', kind: 'number' },
    { field: 'tax', kind: 'text', derivation: { kind: 'percentage', of: 'total', rate: { field: 'rate' } } },
    { field: 'words', kind: 'text', derivation: { kind: 'amount_in_words', of: 'total' } },
  ];
  const rows = [
    { what: '3', price: '2', paid: '1' },
    { price: '4', paid: 'all', total: '7' },
  ];
  const derived = { 'items[0].total': { text: '10' }, 'items[1].total': { text: '99' } };
  expect(columnTotals(columns, rows, 'items', derived, 'en', null)).toEqual({
    paid: null,
    total: '17',
    tax: null,
  });
});
