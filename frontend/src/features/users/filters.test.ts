import { describe, expect, it } from 'vitest';

import { parseFilters, toQuery, withSearch, toSearchParams, withSort } from './filters';

const filtersOfUrl = (search: string) => parseFilters(new URLSearchParams(search));

describe('the list of users', () => {
  it('starts with the newest ten, sorted by no column', () => {
    expect(toQuery(filtersOfUrl(''))).toEqual({ limit: 10, page: 1, userName: '' });
  });

  it('sorts another column ascending, from its first page', () => {
    const filters = withSort(filtersOfUrl('sortBy=email&sortOrder=desc&page=3'), 'downloads');
    expect(toQuery(filters)).toMatchObject({ sortBy: 'downloads', sortOrder: 'asc', page: 1 });
  });

  it('reverses the order of the same column and stays on the page', () => {
    const once = withSort(filtersOfUrl('sortBy=email&page=3'), 'email');
    expect(toQuery(once)).toMatchObject({ sortBy: 'email', sortOrder: 'desc', page: 3 });
    expect(toQuery(withSort(once, 'email'))).toMatchObject({ sortOrder: 'asc', page: 3 });
  });

  it('starts another search at its first page and keeps the order', () => {
    const filters = withSearch(filtersOfUrl('userName=a&sortBy=name&page=7'), 'amina');
    expect(toSearchParams(filters).toString()).toBe('userName=amina&sortBy=name');
  });

  it('replaces invalid parameters of a URL by defaults, and has one URL per state', () => {
    expect(filtersOfUrl('sortBy=password&sortOrder=desc&page=-3')).toEqual(filtersOfUrl(''));
    expect(toSearchParams(filtersOfUrl('page=1&userName=&sortOrder=asc')).toString()).toBe('');
    const search = 'userName=amina&sortBy=createdAt&sortOrder=desc&page=2';
    expect(toSearchParams(filtersOfUrl(search)).toString()).toBe(search);
  });
});
