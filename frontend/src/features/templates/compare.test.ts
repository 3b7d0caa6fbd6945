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
    added: ['Place'],
    dropped: ['Date'],
  });
  expect(compared(first, [second, third])).toEqual({
    renamed: [{ from: 'Name', to: 'Customer' }],
    added: [],
    dropped: ['Date'],
  });
  expect(compared(first, [first])).toEqual({ renamed: [], added: [], dropped: [] });
});
