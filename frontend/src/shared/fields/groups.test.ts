import { expect, it } from 'vitest';

import type { FieldSettings } from './fieldSettings';
import { groupFields } from './groups';

const field = (name: string, group?: string): FieldSettings => ({
  field: name,
  kind: 'text',
  ...(group !== undefined && { group }),
});
const shape = (...settings: FieldSettings[]) =>
  groupFields(settings).map(({ group, settings: ofGroup }) => [group, ...ofGroup.map((one) => one.field)]);

it('a heading appears once, also when another field lies between its fields', () => {
  expect(
    shape(field('name', 'Tenant'), field('date'), field('rent', 'Terms'), field('address', 'Tenant')),
  ).toEqual([
    ['Tenant', 'name', 'address'],
    ['', 'date'],
    ['Terms', 'rent'],
  ]);
});

it('fields without a heading stay in their places', () => {
  expect(shape(field('a'), field('b'), field('c', 'Tenant'), field('d'))).toEqual([
    ['', 'a', 'b'],
    ['Tenant', 'c'],
    ['', 'd'],
  ]);
});
