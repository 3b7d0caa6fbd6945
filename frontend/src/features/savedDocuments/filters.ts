import type { SavedDocumentsQuery } from '@/api/types';
import { PAGE_SIZE, parsePage } from '@/shared/paging';

export const SORTS = ['newest', 'oldest', 'most-used', 'last-updated'] as const;
export type Sort = (typeof SORTS)[number];

/** The API's parameter for each order (specification §7). */
const SORT_PARAMETERS: Record<Sort, SavedDocumentsQuery> = {
  newest: { newCreated: true },
  oldest: { oldCreated: true },
  'most-used': { most: true },
  'last-updated': { updated: true },
};

/** The state of the list, as its URL contains it. */
export interface Filters {
  title: string;
  sort: Sort;
  /** The page number, from 1. */
  page: number;
}

export function parseFilters(search: URLSearchParams): Filters {
  const sort = search.get('sort');
  return {
    title: search.get('title') ?? '',
    sort: SORTS.find((known) => known === sort) ?? 'newest',
    page: parsePage(search),
  };
}

/** Returns the query of `filters`. Defaults are left out. */
export function toSearchParams({ title, sort, page }: Filters): URLSearchParams {
  const search = new URLSearchParams();
  if (title) search.set('title', title);
  if (sort !== 'newest') search.set('sort', sort);
  if (page > 1) search.set('page', String(page));
  return search;
}

export function toQuery({ title, sort, page }: Filters): SavedDocumentsQuery {
  return { limit: PAGE_SIZE, page, title: title.trim(), ...SORT_PARAMETERS[sort] };
}
