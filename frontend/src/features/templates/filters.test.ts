import { expect, it } from 'vitest';

import { filtersOf, narrowing, queryOf, searchOf } from './filters';

const of = (text: string) => filtersOf(new URLSearchParams(text));

it('an address says what is shown, and what it does not know is the default', () => {
  const all = of('');
  expect(all).toEqual({ title: '', lang: '', categories: [], status: 'all', sort: 'newest', page: 1 });
  expect(of('status=gone&sort=best&page=-2')).toEqual(all);
  expect(searchOf(all).toString()).toBe('');
  const some = of('title=lease&lang=fr&cat=legal,housing&status=inactive&sort=least-used&page=3');
  expect(filtersOf(searchOf(some))).toEqual(some);
  expect([narrowing(all), narrowing(some)]).toEqual([0, 4]);
});

it('asks for twelve of every status, unless one is chosen', () => {
  expect(queryOf(of('title= lease &page=2&sort=most-used'))).toEqual({
    limit: 12,
    page: 2,
    lang: '',
    cat: '',
    title: 'lease',
    status: 'all',
    most: true,
  });
  expect(queryOf(of('status=inactive'))).toMatchObject({ status: 'inactive', newCreated: true });
});
