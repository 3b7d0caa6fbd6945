import { expect, it } from 'vitest';

import {
  choiceFilter,
  filterCodec,
  namesFilter,
  pageFilter,
  textFilter,
  applyFilterChange,
} from './listFilters';

interface Filters {
  title: string;
  names: string[];
  order: 'up' | 'down';
  column: 'a' | 'b' | null;
  page: number;
}
const codec = filterCodec<Filters>({
  title: textFilter('q'),
  names: namesFilter('cat'),
  order: choiceFilter('order', ['up', 'down'], 'up'),
  column: choiceFilter('by', ['a', 'b'] as const, null),
  page: pageFilter,
});
const parse = (search: string) => codec.parse(new URLSearchParams(search));
const DEFAULTS: Filters = { title: '', names: [], order: 'up', column: null, page: 1 };

it('replaces missing and invalid parameters by defaults', () => {
  expect(parse('')).toEqual(DEFAULTS);
  for (const page of ['0', '-1', '1.5', 'x', '1e999'])
    expect(parse(`order=sideways&by=c&cat=,,&page=${page}`)).toEqual(DEFAULTS);
});

it('has one URL per state, without defaults', () => {
  expect(codec.format(DEFAULTS).toString()).toBe('');
  const search = 'q=bail+%26+co&cat=x%2Cy&order=down&by=b&page=3';
  expect(codec.format(parse(search)).toString()).toBe(search);
});

it('leads back to the first page with every change except of the page', () => {
  const filters = { ...DEFAULTS, page: 4 };
  expect(applyFilterChange(filters, { title: 'bail' })).toEqual({ ...DEFAULTS, title: 'bail' });
  expect(applyFilterChange(filters, { page: 5 })).toEqual({ ...DEFAULTS, page: 5 });
});
