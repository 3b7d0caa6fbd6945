import type { DocumentsQuery } from '@/api/types';
import { SORT_PARAMETERS, sortOf, type Sort } from '@/shared/documents/sorts';
import { PAGE_SIZE, pageOf } from '@/shared/paging';

/** What the catalogue shows, as its address says it. */
export interface Filters {
  title: string;
  /** A template language's code; '' is all. */
  lang: string;
  categories: string[];
  sort: Sort;
  /** From 1. */
  page: number;
}

/** In an address `lang=all` shows every language; without `lang` the stored language is meant. */
const ALL = 'all';

export function filtersOf(search: URLSearchParams, storedLanguage: string | null): Filters {
  const lang = search.get('lang') ?? storedLanguage ?? '';
  return {
    title: search.get('title') ?? '',
    lang: lang === ALL ? '' : lang,
    categories: (search.get('cat') ?? '').split(',').filter(Boolean),
    sort: sortOf(search),
    page: pageOf(search),
  };
}

/** The address of `filters`; what is the default is left out, so that addresses stay short and comparable. */
export function searchOf(filters: Filters, storedLanguage: string | null): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.title) search.set('title', filters.title);
  if (filters.lang !== (storedLanguage ?? '')) search.set('lang', filters.lang || ALL);
  if (filters.categories.length > 0) search.set('cat', filters.categories.join(','));
  if (filters.sort !== 'newest') search.set('sort', filters.sort);
  if (filters.page > 1) search.set('page', String(filters.page));
  return search;
}

export function queryOf(filters: Filters, country: string | null): DocumentsQuery {
  return {
    limit: PAGE_SIZE,
    page: filters.page,
    lang: filters.lang,
    cat: filters.categories.join(','),
    title: filters.title.trim(),
    country: country ?? '',
    ...SORT_PARAMETERS[filters.sort],
  };
}

/** Any change but that of the page leads back to the first page. */
export function changed(filters: Filters, change: Partial<Filters>): Filters {
  return { ...filters, page: 1, ...change };
}
