import { expect, it } from 'vitest';

import type { FieldSettings } from '@/shared/fields/fieldSettings';

import { exampleValues } from './exampleValues';

const settings: FieldSettings[] = [
  { field: 'client', kind: 'text', label: 'Client name' },
  { field: 'place', kind: 'text', example: 'Tunis' },
  { field: 'start', kind: 'date' },
  { field: 'pets', kind: 'yes_no' },
  { field: 'currency', kind: 'choice', choices: ['EUR', 'USD'] },
  { field: 'logo', kind: 'picture' },
  { field: 'total', kind: 'amount', derivation: { source: 'amount', kind: 'amount' } as never },
  { field: 'items', kind: 'list', maxRows: 1, columns: [{ field: 'thing', kind: 'text' }] },
];

it('gives each field a value of its kind', () => {
  expect(exampleValues(settings, 'en', null)).toEqual({
    client: 'Client name',
    place: 'Tunis',
    start: '31 January 2026',
    pets: true,
    currency: 'EUR',
    logo: '',
    items: [{ thing: 'thing' }],
  });
  expect(exampleValues(settings, 'ar', 'EG')).toMatchObject({ start: '31 يناير 2026' });
});
