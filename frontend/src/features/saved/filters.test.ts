import { describe, expect, it } from 'vitest';

import { filtersOf, queryOf, searchOf, SORTS } from './filters';

const address = (search: string) => filtersOf(new URLSearchParams(search));

describe('the list of my documents', () => {
  it('begins with the newest twelve', () => {
    expect(queryOf(address(''))).toEqual({ limit: 12, page: 1, title: '', newCreated: true });
  });

  it.each([
    ['newest', { newCreated: true }],
    ['oldest', { oldCreated: true }],
    ['most-used', { most: true }],
    ['last-updated', { updated: true }],
  ])('sorts by %s in the wire’s words', (sort, parameter) => {
    expect(queryOf(address(`sort=${sort}`))).toMatchObject(parameter);
  });

  it('has the four sorts of the specification', () => {
    expect(SORTS).toEqual(['newest', 'oldest', 'most-used', 'last-updated']);
  });

  it('takes an address that names nothing there is as the default', () => {
    expect(address('sort=sideways&page=-3')).toEqual({ title: '', sort: 'newest', page: 1 });
  });

  it('has one address for one state', () => {
    expect(searchOf(address('page=1&sort=newest&title=')).toString()).toBe('');
    const search = 'title=bail&sort=oldest&page=2';
    expect(searchOf(address(search)).toString()).toBe(search);
  });
});
