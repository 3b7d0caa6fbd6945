import type { TemplatesQuery } from '@/api/types';
import { SORT_PARAMETERS, parseSort, type Sort } from '@/shared/templates/sorts';
import { PAGE_SIZE, parsePage } from '@/shared/paging';

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

export function parseFilters(search: URLSearchParams): Filters {
  const status = search.get('status');
  return {
    title: search.get('title') ?? '',
    lang: search.get('lang') ?? '',
    categories: (search.get('cat') ?? '').split(',').filter(Boolean),
    status: STATUSES.find((known) => known === status) ?? 'all',
    sort: parseSort(search),
    page: parsePage(search),
  };
}

/** Returns the query of `filters`. Defaults are left out. */
export function toSearchParams(filters: Filters): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.title) search.set('title', filters.title);
  if (filters.lang) search.set('lang', filters.lang);
  if (filters.categories.length > 0) search.set('cat', filters.categories.join(','));
  if (filters.status !== 'all') search.set('status', filters.status);
  if (filters.sort !== 'newest') search.set('sort', filters.sort);
  if (filters.page > 1) search.set('page', String(filters.page));
  return search;
}

export function toQuery(filters: Filters): TemplatesQuery {
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
export function activeFilterCount({ lang, categories, status }: Filters): number {
  return Number(lang !== '') + categories.length + Number(status !== 'all');
}
