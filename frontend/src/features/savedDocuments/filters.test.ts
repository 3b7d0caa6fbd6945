import { describe, expect, it } from 'vitest';

import { savedDocumentFilters, SORTS, toQuery } from './filters';

const filtersOfUrl = (search: string) => savedDocumentFilters.parse(new URLSearchParams(search));

describe('the list of my documents', () => {
  it('starts with the newest twelve', () => {
    expect(toQuery(filtersOfUrl(''))).toEqual({ limit: 12, page: 1, title: '', newCreated: true });
  });

  it.each([
    ['newest', { newCreated: true }],
    ['oldest', { oldCreated: true }],
    ['most-used', { most: true }],
    ['last-updated', { updated: true }],
  ])('sorts by %s with the API’s parameter', (sort, parameter) => {
    expect(toQuery(filtersOfUrl(`sort=${sort}`))).toMatchObject(parameter);
  });

  it('has the four sorts of the specification', () => {
    expect(SORTS).toEqual(['newest', 'oldest', 'most-used', 'last-updated']);
  });

  it('replaces invalid parameters of a URL by defaults', () => {
    expect(filtersOfUrl('sort=sideways&deleted=maybe&page=-3')).toEqual({
      title: '',
      sort: 'newest',
      deleted: false,
      page: 1,
    });
  });

  it('has one URL per state', () => {
    expect(savedDocumentFilters.format(filtersOfUrl('page=1&sort=newest&title=')).toString()).toBe('');
    const search = 'title=bail&sort=oldest&deleted=true&page=2';
    expect(savedDocumentFilters.format(filtersOfUrl(search)).toString()).toBe(search);
  });
});
