import type { TemplatesQuery } from '@/api/types';
import { choiceFilter, filterCodec, namesFilter, pageFilter, textFilter } from '@/shared/listFilters';
import { PAGE_SIZE } from '@/shared/paging';
import { SORT_PARAMETERS, SORTS, type Sort } from '@/shared/templates/sorts';

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

export const templateFilters = filterCodec<Filters>({
  title: textFilter('title'),
  lang: textFilter('lang'),
  categories: namesFilter('cat'),
  status: choiceFilter('status', STATUSES, 'all'),
  sort: choiceFilter('sort', SORTS, 'newest'),
  page: pageFilter,
});

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
