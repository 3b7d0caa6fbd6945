import { expect, it } from 'vitest';

import { derivationSources, renameSources } from './derivationSources';
import type { FieldDerivation } from '@/shared/fields/fieldSettings';

it.each<[FieldDerivation, string[], FieldDerivation]>([
  [{ kind: 'sum', of: ['a', 'b'] }, ['a', 'b'], { kind: 'sum', of: ['A', 'b'] }],
  [{ kind: 'product', of: ['a', 'b'] }, ['a', 'b'], { kind: 'product', of: ['A', 'b'] }],
  [{ kind: 'date_in_words', of: 'a' }, ['a'], { kind: 'date_in_words', of: 'A' }],
  [
    { kind: 'percentage', of: 'b', rate: { field: 'a' } },
    ['a', 'b'],
    { kind: 'percentage', of: 'b', rate: { field: 'A' } },
  ],
  [
    { kind: 'percentage', of: 'a', rate: { number: '20' } },
    ['a'],
    { kind: 'percentage', of: 'A', rate: { number: '20' } },
  ],
  [{ kind: 'count', list: 'a' }, ['a'], { kind: 'count', list: 'A' }],
  // The name of the column is not the name of a field.
  [{ kind: 'list_sum', list: 'a', column: 'a' }, ['a', 'a'], { kind: 'list_sum', list: 'A', column: 'a' }],
])('%j has its sources, which follow a renaming', (derivation, sources, renamed) => {
  expect(derivationSources(derivation)).toEqual(sources);
  expect(renameSources(derivation, (name) => (name === 'a' ? 'A' : name))).toEqual(renamed);
});
