import { expect, it } from 'vitest';

import { compareVersions } from './compareVersions';

const version = (fields: string[], renamed: Record<string, string> = {}) => ({
  fields,
  renamed: Object.entries(renamed).map(([from, to]) => ({ from, to })),
});

it('lists renamed, added and dropped fields', () => {
  const first = version(['Name', 'Date', 'Sum']);
  const second = version(['Client', 'Sum', 'Place'], { Name: 'Client' });
  const third = version(['Customer', 'Sum'], { Client: 'Customer' });
  expect(compareVersions(first, [second])).toEqual({
    renamed: [{ from: 'Name', to: 'Client' }],
    changed: [],
    added: ['Place'],
    dropped: ['Date'],
  });
  expect(compareVersions(first, [second, third])).toEqual({
    renamed: [{ from: 'Name', to: 'Customer' }],
    changed: [],
    added: [],
    dropped: ['Date'],
  });
  expect(compareVersions(first, [first])).toEqual({ renamed: [], changed: [], added: [], dropped: [] });
});

it('lists the fields with changed settings', () => {
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
  expect(compareVersions(before, [after]).changed).toEqual(['Sum']);
});

it('lists added, dropped and changed columns of a list, also after it was renamed', () => {
  const before = {
    ...version(['Items']),
    fieldHelp: [
      {
        field: 'Items',
        kind: 'list' as const,
        columns: [
          { field: 'Name', kind: 'text' as const },
          { field: 'Price', kind: 'number' as const },
          { field: 'Note', kind: 'text' as const },
        ],
      },
    ],
  };
  const after = {
    ...version(['Lines'], { Items: 'Lines' }),
    fieldHelp: [
      {
        field: 'Lines',
        kind: 'list' as const,
        maxRows: 40,
        columns: [
          { field: 'Name', kind: 'text' as const },
          { field: 'Price', kind: 'amount' as const },
          { field: 'Total', kind: 'amount' as const },
        ],
      },
    ],
  };
  expect(compareVersions(before, [after])).toEqual({
    renamed: [{ from: 'Items', to: 'Lines' }],
    changed: ['Lines', 'Lines › Price'],
    added: ['Lines › Total'],
    dropped: ['Lines › Note'],
  });
});
