import type { DocumentsQuery } from '@/api/types';
import { SORT_PARAMETERS, sortOf, type Sort } from '@/shared/documents/sorts';
import { PAGE_SIZE, pageOf } from '@/shared/paging';

export const STATUSES = ['all', 'active', 'inactive'] as const;
export type StatusFilter = (typeof STATUSES)[number];

/** The state of an admin's list, as its URL contains it. */
export interface Filters {
  title: string;
  /** The code of a template language; '' for all. */
  lang: string;
  categories: string[];
  status: StatusFilter;
  sort: Sort;
  /** The page number, from 1. */
  page: number;
}

/** The filters after *Reset*; the order stays. */
export const UNFILTERED = { title: '', lang: '', categories: [], status: 'all' } satisfies Partial<Filters>;

export function filtersOf(search: URLSearchParams): Filters {
  const status = search.get('status');
  return {
    title: search.get('title') ?? '',
    lang: search.get('lang') ?? '',
    categories: (search.get('cat') ?? '').split(',').filter(Boolean),
    status: STATUSES.find((known) => known === status) ?? 'all',
    sort: sortOf(search),
    page: pageOf(search),
  };
}

/** Returns the query of `filters`. Defaults are left out. */
export function searchOf(filters: Filters): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.title) search.set('title', filters.title);
  if (filters.lang) search.set('lang', filters.lang);
  if (filters.categories.length > 0) search.set('cat', filters.categories.join(','));
  if (filters.status !== 'all') search.set('status', filters.status);
  if (filters.sort !== 'newest') search.set('sort', filters.sort);
  if (filters.page > 1) search.set('page', String(filters.page));
  return search;
}

export function queryOf(filters: Filters): DocumentsQuery {
  return {
    limit: PAGE_SIZE,
    page: filters.page,
    lang: filters.lang,
    cat: filters.categories.join(','),
    title: filters.title.trim(),
    status: filters.status,
    ...SORT_PARAMETERS[filters.sort],
  };
}

/** Returns the number of active filters, without the search text. */
export function narrowing({ lang, categories, status }: Filters): number {
  return Number(lang !== '') + categories.length + Number(status !== 'all');
}
