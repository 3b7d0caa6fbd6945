import { expect, it } from 'vitest';

import { compared } from './compare';

const version = (fields: string[], renamed: Record<string, string> = {}) => ({
  fields,
  renamed: Object.entries(renamed).map(([from, to]) => ({ from, to })),
});

it('says of each field what became of it', () => {
  const first = version(['Name', 'Date', 'Sum']);
  const second = version(['Client', 'Sum', 'Place'], { Name: 'Client' });
  const third = version(['Customer', 'Sum'], { Client: 'Customer' });
  expect(compared(first, [second])).toEqual({
    renamed: [{ from: 'Name', to: 'Client' }],
    described: [],
    added: ['Place'],
    dropped: ['Date'],
  });
  expect(compared(first, [second, third])).toEqual({
    renamed: [{ from: 'Name', to: 'Customer' }],
    described: [],
    added: [],
    dropped: ['Date'],
  });
  expect(compared(first, [first])).toEqual({ renamed: [], described: [], added: [], dropped: [] });
});

it('names the fields of which the form says something else', () => {
  const before = {
    ...version(['client_name', 'Sum', 'Date']),
    fieldHelp: [
      { field: 'client_name', label: 'Client name', kind: 'text' as const },
      { field: 'Sum', kind: 'amount' as const },
      { field: 'Date', kind: 'date' as const, group: 'Part 1' },
    ],
  };
  const after = {
    ...version(['customer_name', 'Sum', 'Date'], { client_name: 'customer_name' }),
    fieldHelp: [
      { field: 'customer_name', label: 'Customer name', kind: 'text' as const },
      { field: 'Sum', kind: 'amount' as const, hint: 'With tax', said: ['hint' as const] },
      { field: 'Date', kind: 'date' as const, group: 'Part 2' },
    ],
  };
  expect(compared(before, [after]).described).toEqual(['Sum']);
});
