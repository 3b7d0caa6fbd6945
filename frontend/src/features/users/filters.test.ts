import { describe, expect, it } from 'vitest';

import { filtersOf, queryOf, searched, searchOf, sorted } from './filters';

const address = (search: string) => filtersOf(new URLSearchParams(search));

describe('the list of users', () => {
  it('begins with the newest ten, sorted by no column', () => {
    expect(queryOf(address(''))).toEqual({ limit: 10, page: 1, userName: '' });
  });

  it('sorts another column ascending, from its first page', () => {
    const filters = sorted(address('sortBy=email&sortOrder=desc&page=3'), 'downloads');
    expect(queryOf(filters)).toMatchObject({ sortBy: 'downloads', sortOrder: 'asc', page: 1 });
  });

  it('turns the same column around and stays on the page', () => {
    const once = sorted(address('sortBy=email&page=3'), 'email');
    expect(queryOf(once)).toMatchObject({ sortBy: 'email', sortOrder: 'desc', page: 3 });
    expect(queryOf(sorted(once, 'email'))).toMatchObject({ sortOrder: 'asc', page: 3 });
  });

  it('begins another search at its first page and keeps the order', () => {
    const filters = searched(address('userName=a&sortBy=name&page=7'), 'amina');
    expect(searchOf(filters).toString()).toBe('userName=amina&sortBy=name');
  });

  it('takes an address that names nothing there is as the default, and has one for one state', () => {
    expect(address('sortBy=password&sortOrder=desc&page=-3')).toEqual(address(''));
    expect(searchOf(address('page=1&userName=&sortOrder=asc')).toString()).toBe('');
    const search = 'userName=amina&sortBy=createdAt&sortOrder=desc&page=2';
    expect(searchOf(address(search)).toString()).toBe(search);
  });
});
