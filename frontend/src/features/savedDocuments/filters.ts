import type { SavedDocumentsQuery } from '@/api/types';
import { choiceFilter, filterCodec, pageFilter, textFilter } from '@/shared/listFilters';
import { PAGE_SIZE } from '@/shared/paging';

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
  /** True for the recently deleted documents. */
  deleted: boolean;
  /** The page number, from 1. */
  page: number;
}

export const savedDocumentFilters = filterCodec<Filters>({
  title: textFilter('title'),
  sort: choiceFilter('sort', SORTS, 'newest'),
  deleted: {
    parameter: 'deleted',
    parse: (text) => text === 'true',
    format: (deleted) => (deleted ? 'true' : ''),
  },
  page: pageFilter,
});

export function toQuery({ title, sort, page }: Filters): SavedDocumentsQuery {
  return { limit: PAGE_SIZE, page, title: title.trim(), ...SORT_PARAMETERS[sort] };
}
