import type { UsersQuery } from '@/api/types';
import { pageOf } from '@/shared/paging';

/** Users a page (specification §9). */
export const USERS_PER_PAGE = 10;

/** The columns a list is sorted by, as the wire calls them, in the order in which they stand. */
export const COLUMNS = ['_id', 'name', 'userName', 'email', 'downloads', 'createdAt'] as const;
export type Column = (typeof COLUMNS)[number];

/** What the list shows, as its address says it. */
export interface Filters {
  userName: string;
  /** None: the newest first. */
  column: Column | null;
  descending: boolean;
  /** From 1. */
  page: number;
}

export function filtersOf(search: URLSearchParams): Filters {
  const column = COLUMNS.find((known) => known === search.get('sortBy')) ?? null;
  return {
    userName: search.get('userName') ?? '',
    column,
    descending: column !== null && search.get('sortOrder') === 'desc',
    page: pageOf(search),
  };
}

/** The address of `filters`; what is the default is left out. */
export function searchOf({ userName, column, descending, page }: Filters): URLSearchParams {
  const search = new URLSearchParams();
  if (userName) search.set('userName', userName);
  if (column) search.set('sortBy', column);
  if (column && descending) search.set('sortOrder', 'desc');
  if (page > 1) search.set('page', String(page));
  return search;
}

/** Another search begins at its first page. */
export function searched(filters: Filters, userName: string): Filters {
  return { ...filters, userName, page: 1 };
}

/** A click on a header: another column begins at its first page, ascending; the same one turns around (specification §2). */
export function sorted(filters: Filters, column: Column): Filters {
  if (filters.column === column) return { ...filters, descending: !filters.descending };
  return { ...filters, column, descending: false, page: 1 };
}

export function queryOf({ userName, column, descending, page }: Filters): UsersQuery {
  const sort: UsersQuery = column ? { sortBy: column, sortOrder: descending ? 'desc' : 'asc' } : {};
  return { userName: userName.trim(), page, limit: USERS_PER_PAGE, ...sort };
}
