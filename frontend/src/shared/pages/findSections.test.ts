import { describe, expect, it } from 'vitest';

import { isList, type FieldValues, type StructuredField } from '@/shared/fields/values';

import { findSectionConditions } from './findSections';

const texts = (...names: string[]): StructuredField[] => names.map((name) => ({ name, type: 'text' }));
const switches = (...names: string[]): StructuredField[] => names.map((name) => ({ name, type: 'yes_no' }));

/** Finds the conditions in a template that prints what `print` returns. */
function conditionsOf(structure: StructuredField[], print: (values: FieldValues) => (string | false)[]) {
  return findSectionConditions(structure, async (values) => {
    const printed = print(values).filter((name) => name !== false);
    return new Set(printed);
  });
}

describe('the sections of fields', () => {
  it('are found for clauses, for their opposites and for clauses in clauses', async () => {
    const structure = [
      ...texts('tenant', 'guarantor', 'reason', 'bank', 'both'),
      ...switches('guaranteed', 'by bank'),
    ];
    const found = await conditionsOf(structure, (values) => [
      'tenant',
      values['guaranteed'] === true && 'guarantor',
      values['guaranteed'] === false && 'reason',
      values['guaranteed'] === true && values['by bank'] === true && 'bank',
      // A field that is also printed elsewhere has no condition.
      'both',
    ]);
    expect(found).toEqual({
      guarantor: [{ field: 'guaranteed', answer: true }],
      reason: [{ field: 'guaranteed', answer: false }],
      bank: [
        { field: 'guaranteed', answer: true },
        { field: 'by bank', answer: true },
      ],
    });
  });

  it('are found for lists and pictures, which need a row and a picture to be printed', async () => {
    const structure: StructuredField[] = [
      { name: 'items', type: 'list', columns: [{ name: 'parts', type: 'list', columns: texts('part') }] },
      { name: 'seal', type: 'picture' },
      ...switches('sold'),
    ];
    const found = await conditionsOf(structure, ({ items = '', seal, sold }) => {
      const parts = isList(items) ? (items[0]?.['parts'] ?? '') : '';
      return [
        sold === true && isList(parts) && parts[0]?.['part'] !== '' && 'items',
        sold === true && typeof seal === 'object' && 'seal',
      ];
    });
    expect(Object.keys(found)).toEqual(['items', 'seal']);
  });

  it('are not looked for in templates without yes/no fields, or with very many', async () => {
    const print = () => {
      throw new Error('laid out');
    };
    expect(await conditionsOf(texts('tenant'), print)).toEqual({});
    const many = Array.from({ length: 13 }, (_, at) => `switch ${at}`);
    expect(await conditionsOf([...texts('tenant'), ...switches(...many)], print)).toEqual({});
  });
});
