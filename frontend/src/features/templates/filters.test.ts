import { expect, it } from 'vitest';

import { activeFilterCount, templateFilters, toQuery } from './filters';

const filtersOfUrl = (text: string) => templateFilters.parse(new URLSearchParams(text));

it('a URL contains the state of the list, and invalid parameters are replaced by defaults', () => {
  const all = filtersOfUrl('');
  expect(all).toEqual({ title: '', lang: '', categories: [], status: 'all', sort: 'newest', page: 1 });
  expect(filtersOfUrl('status=gone&sort=best&page=-2')).toEqual(all);
  expect(templateFilters.format(all).toString()).toBe('');
  const some = filtersOfUrl('title=lease&lang=fr&cat=legal,housing&status=inactive&sort=least-used&page=3');
  expect(templateFilters.parse(templateFilters.format(some))).toEqual(some);
  expect([activeFilterCount(all), activeFilterCount(some)]).toEqual([0, 4]);
});

it('requests twelve templates of every status, unless one is chosen', () => {
  expect(toQuery(filtersOfUrl('title= lease &page=2&sort=most-used'))).toEqual({
    limit: 12,
    page: 2,
    lang: '',
    cat: '',
    title: 'lease',
    status: 'all',
    most: true,
  });
  expect(toQuery(filtersOfUrl('status=inactive'))).toMatchObject({ status: 'inactive', newCreated: true });
});
