import { describe, expect, it } from 'vitest';

import type { FieldSettings, SuggestedDerivation } from '@/shared/fields/fieldSettings';

import {
  detectedSettings,
  effectiveSettings,
  extractOverrides,
  haveSameOverrides,
  overridesToSend,
  removeOverrides,
  renameOverrides,
  setColumnOverrides,
  setOverride,
  type OverridesByField,
} from './fieldSettings';
import { findDifferences, mergeSides, type ConflictSide } from './merge';
import { applySuggestions, openSuggestions, suggestionsOfColumns } from './suggestions';
import { EMPTY_TEMPLATE_DRAFT } from './templateDraft';

const SETTINGS: FieldSettings[] = [
  {
    field: 'items',
    kind: 'list',
    minRows: 1,
    maxRows: 40,
    said: ['minRows', 'maxRows'],
    columns: [
      { field: 'name', kind: 'text' },
      {
        field: 'price',
        kind: 'amount',
        hint: 'Without tax',
        said: ['hint', 'kind'],
        guessed: { field: 'price', kind: 'number' },
      },
      { field: 'total', kind: 'amount' },
    ],
  },
  { field: 'total', kind: 'amount' },
];

describe('settings of columns', () => {
  it('are split into overrides and detected settings', () => {
    const overrides = extractOverrides(SETTINGS);
    expect(overrides).toEqual({
      items: { minRows: 1, maxRows: 40, columns: { price: { hint: 'Without tax', kind: 'amount' } } },
    });
    const detected = detectedSettings(SETTINGS);
    expect(detected[0]).toEqual({
      field: 'items',
      kind: 'list',
      columns: [
        { field: 'name', kind: 'text' },
        { field: 'price', kind: 'number' },
        { field: 'total', kind: 'amount' },
      ],
    });
    const [items] = detected.map((field) => effectiveSettings(field, overrides));
    expect(items).toMatchObject({ maxRows: 40, said: ['minRows', 'maxRows'] });
    expect(items?.columns?.[1]).toEqual({
      field: 'price',
      kind: 'amount',
      hint: 'Without tax',
      said: ['hint', 'kind'],
    });
  });

  it('are sent inside their list, without columns that no longer exist', () => {
    const columns = setOverride({ gone: { hint: 'x' } }, 'price', 'hint', 'y');
    const overrides = setColumnOverrides({}, 'items', columns);
    expect(overridesToSend(SETTINGS, overrides)).toEqual([
      { field: 'items', columns: [{ field: 'price', hint: 'y' }] },
    ]);
    const gone = setColumnOverrides({}, 'items', { gone: { hint: 'x' } });
    expect(overridesToSend(SETTINGS, gone)).toEqual([]);
    expect(haveSameOverrides(SETTINGS, gone, {})).toBe(true);
    expect(haveSameOverrides(SETTINGS, overrides, gone)).toBe(false);
  });

  it('stay when the list is reset, and go with their last override', () => {
    const overrides = extractOverrides(SETTINGS);
    const columns = { price: { hint: 'Without tax', kind: 'amount' as const } };
    expect(removeOverrides(overrides, 'items')).toEqual({ items: { columns } });
    expect(setColumnOverrides({ items: { columns } }, 'items', {})).toEqual({});
  });

  it('follow a renamed list', () => {
    const overrides: OverridesByField = {
      items: { columns: { total: { derivation: { kind: 'product', of: ['total', 'price'] } } } },
      total: { derivation: { kind: 'list_sum', list: 'items', column: 'total' } },
    };
    expect(renameOverrides(overrides, { items: 'lines', total: 'amount' })).toEqual({
      lines: { columns: { total: { derivation: { kind: 'product', of: ['total', 'price'] } } } },
      amount: { derivation: { kind: 'list_sum', list: 'lines', column: 'total' } },
    });
  });
});

describe('a conflict about columns', () => {
  const createSide = (columns: OverridesByField, own: OverridesByField = {}): ConflictSide => ({
    draft: EMPTY_TEMPLATE_DRAFT,
    overrides: setColumnOverrides(own, 'items', columns),
    detected: detectedSettings(SETTINGS),
  });
  const base = createSide({});
  const mine = createSide({ price: { hint: 'Mine', label: 'L' } });
  const theirs = createSide({ price: { hint: 'Theirs' }, name: { example: 'Paper' } });
  const differences = findDifferences(base, mine, theirs);

  it('names each setting with its list and column', () => {
    expect(differences.map(({ id, proposed }) => [id, proposed])).toEqual([
      ['example items › name', 'theirs'],
      ['label items › price', 'mine'],
      ['hint items › price', 'mine'],
    ]);
  });

  it('is merged column by column', () => {
    expect(mergeSides(mine, theirs, differences, {}).overrides).toEqual({
      items: { columns: { price: { hint: 'Mine', label: 'L' }, name: { example: 'Paper' } } },
    });
    const all = Object.fromEntries(differences.map(({ id }) => [id, 'theirs' as const]));
    expect(mergeSides(mine, theirs, differences, all).overrides).toEqual(theirs.overrides);
  });

  it('compares percentages with their rates', () => {
    const withRate = (number: string) =>
      createSide({}, { total: { derivation: { kind: 'percentage', of: 'x', rate: { number } } } });
    expect(findDifferences(base, withRate('20'), withRate('10')).map(({ id }) => id)).toEqual([
      'derivation total',
    ]);
    expect(findDifferences(base, withRate('20'), withRate('20'))).toEqual([]);
  });
});

describe('suggested derivations', () => {
  const product: SuggestedDerivation = {
    path: 'items[].total',
    derivation: { kind: 'product', of: ['quantity', 'price'] },
  };
  const sum: SuggestedDerivation = {
    path: 'total',
    derivation: { kind: 'list_sum', list: 'items', column: 'total' },
  };

  it('are offered for existing fields and columns without a derivation', () => {
    const elsewhere = { ...product, path: 'others[].total' };
    expect(openSuggestions([product, sum, elsewhere], SETTINGS)).toEqual([product, sum]);
    const overrides = applySuggestions({}, [product]);
    const fields = detectedSettings(SETTINGS).map((field) => effectiveSettings(field, overrides));
    expect(openSuggestions([product, sum], fields)).toEqual([sum]);
  });

  it('are found by the level of the editor', () => {
    const nested = { ...product, path: 'items[].taxes[].amount' };
    expect(suggestionsOfColumns([product, sum, nested], 'items').map(({ path }) => path)).toEqual([
      'total',
      'taxes[].amount',
    ]);
  });

  it('become overrides next to those that exist', () => {
    const overrides = { items: { maxRows: 5, columns: { total: { hint: 'x' } } } };
    expect(applySuggestions(overrides, [product, sum])).toEqual({
      items: { maxRows: 5, columns: { total: { hint: 'x', derivation: product.derivation } } },
      total: { derivation: sum.derivation },
    });
  });
});
