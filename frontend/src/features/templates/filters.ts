import type { DocumentsQuery } from '@/api/types';
import { SORT_PARAMETERS, sortOf, type Sort } from '@/shared/documents/sorts';
import { PAGE_SIZE, pageOf } from '@/shared/paging';

export const STATUSES = ['all', 'active', 'inactive'] as const;
export type StatusFilter = (typeof STATUSES)[number];

/** What an admin's list shows, as its address says it. */
export interface Filters {
  title: string;
  /** A template language's code; '' is all. */
  lang: string;
  categories: string[];
  status: StatusFilter;
  sort: Sort;
  /** From 1. */
  page: number;
}

/** What *Reset* goes back to; the order stays. */
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

/** The address of `filters`; what is the default is left out. */
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

/** How many filters narrow the list, the search aside. */
export function narrowing({ lang, categories, status }: Filters): number {
  return Number(lang !== '') + categories.length + Number(status !== 'all');
}
