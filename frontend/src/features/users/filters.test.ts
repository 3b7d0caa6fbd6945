import { describe, expect, it } from 'vitest';

import { applyFilterChange } from '@/shared/listFilters';

import { sortChange, toQuery, userFilters, type Column } from './filters';

const filtersOfUrl = (search: string) => userFilters.parse(new URLSearchParams(search));
const sorted = (search: string, column: Column) => {
  const filters = filtersOfUrl(search);
  return applyFilterChange(filters, sortChange(filters, column));
};

describe('the list of users', () => {
  it('starts with the newest ten, sorted by no column', () => {
    expect(toQuery(filtersOfUrl(''))).toEqual({ limit: 10, page: 1, userName: '' });
  });

  it('sorts another column ascending, from its first page', () => {
    const filters = sorted('sortBy=email&sortOrder=desc&page=3', 'downloads');
    expect(toQuery(filters)).toMatchObject({ sortBy: 'downloads', sortOrder: 'asc', page: 1 });
  });

  it('reverses the order of the same column and stays on the page', () => {
    const once = sorted('sortBy=email&page=3', 'email');
    expect(toQuery(once)).toMatchObject({ sortBy: 'email', sortOrder: 'desc', page: 3 });
    expect(toQuery(sorted('sortBy=email&sortOrder=desc&page=3', 'email'))).toMatchObject({
      sortOrder: 'asc',
      page: 3,
    });
  });

  it('starts another search at its first page and keeps the order', () => {
    const filters = applyFilterChange(filtersOfUrl('userName=a&sortBy=name&page=7'), { userName: 'amina' });
    expect(userFilters.format(filters).toString()).toBe('userName=amina&sortBy=name');
  });

  it('replaces invalid parameters of a URL by defaults, and has one URL per state', () => {
    expect(filtersOfUrl('sortBy=password&sortOrder=desc&page=-3')).toEqual(filtersOfUrl(''));
    expect(userFilters.format(filtersOfUrl('page=1&userName=&sortOrder=asc')).toString()).toBe('');
    const search = 'userName=amina&sortBy=createdAt&sortOrder=desc&page=2';
    expect(userFilters.format(filtersOfUrl(search)).toString()).toBe(search);
  });
});
