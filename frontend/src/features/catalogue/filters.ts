import type { TemplatesQuery } from '@/api/types';
import { SORT_PARAMETERS, parseSort, type Sort } from '@/shared/templates/sorts';
import { PAGE_SIZE, parsePage } from '@/shared/paging';
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
const ALL_LANGUAGES = 'all';

export function parseFilters(search: URLSearchParams, storedLanguage: string | null): Filters {
  const lang = search.get('lang') ?? storedLanguage ?? '';
  return {
    title: search.get('title') ?? '',
    lang: lang === ALL_LANGUAGES ? '' : lang,
    categories: (search.get('cat') ?? '').split(',').filter(Boolean),
    sort: parseSort(search),
    page: parsePage(search),
  };
}

/** Returns the query of `filters`. Defaults are left out, so that URLs stay short and comparable. */
export function toSearchParams(filters: Filters, storedLanguage: string | null): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.title) search.set('title', filters.title);
  if (filters.lang !== (storedLanguage ?? '')) search.set('lang', filters.lang || ALL_LANGUAGES);
  if (filters.categories.length > 0) search.set('cat', filters.categories.join(','));
  if (filters.sort !== 'newest') search.set('sort', filters.sort);
  if (filters.page > 1) search.set('page', String(filters.page));
  return search;
}

export function toQuery(filters: Filters, country: string | null): TemplatesQuery {
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

/** Applies a change. Any change except of the page number leads back to the first page. */
export function applyFilterChange(filters: Filters, change: Partial<Filters>): Filters {
  return { ...filters, page: 1, ...change };
}
