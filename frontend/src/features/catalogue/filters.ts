import type { DocumentsQuery } from '@/api/types';
import { SORT_PARAMETERS, sortOf, type Sort } from '@/shared/documents/sorts';
import { PAGE_SIZE, pageOf } from '@/shared/paging';
import { visitorCountry } from '@/shared/preferences';

/** The state of the catalogue, as its URL contains it. */
export interface Filters {
  title: string;
  /** The code of a template language; '' for all. */
  lang: string;
  categories: string[];
  sort: Sort;
  /** The page number, from 1. */
  page: number;
}

/** In a URL `lang=all` means every language. Without `lang` the stored language applies. */
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

/** Returns the query of `filters`. Defaults are left out, so that URLs stay short and comparable. */
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
    countryFirst: visitorCountry(country, navigator.languages) ?? '',
    ...SORT_PARAMETERS[filters.sort],
  };
}

/** Any change except of the page number leads back to the first page. */
export function changed(filters: Filters, change: Partial<Filters>): Filters {
  return { ...filters, page: 1, ...change };
}
