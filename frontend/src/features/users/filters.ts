import type { UsersQuery } from '@/api/types';
import { parsePage } from '@/shared/paging';

/** The number of users per page (specification §9). */
export const USERS_PER_PAGE = 10;

/** The columns that can be sorted, by their API names and in display order. */
export const COLUMNS = [
  '_id',
  'name',
  'userName',
  'email',
  'downloads',
  'privateTemplates',
  'createdAt',
] as const;
export type Column = (typeof COLUMNS)[number];

/** The state of the list, as its URL contains it. */
export interface Filters {
  userName: string;
  /** The column of the order; null for newest first. */
  column: Column | null;
  descending: boolean;
  /** The page number, from 1. */
  page: number;
}

export function parseFilters(search: URLSearchParams): Filters {
  const column = COLUMNS.find((known) => known === search.get('sortBy')) ?? null;
  return {
    userName: search.get('userName') ?? '',
    column,
    descending: column !== null && search.get('sortOrder') === 'desc',
    page: parsePage(search),
  };
}

/** Returns the query of `filters`. Defaults are left out. */
export function toSearchParams({ userName, column, descending, page }: Filters): URLSearchParams {
  const search = new URLSearchParams();
  if (userName) search.set('userName', userName);
  if (column) search.set('sortBy', column);
  if (column && descending) search.set('sortOrder', 'desc');
  if (page > 1) search.set('page', String(page));
  return search;
}

/** A new search starts at the first page. */
export function withSearch(filters: Filters, userName: string): Filters {
  return { ...filters, userName, page: 1 };
}

/**
 * Handles a click on a header: another column starts at the first page, ascending; the same column is reversed
 * (specification §2).
 */
export function withSort(filters: Filters, column: Column): Filters {
  if (filters.column === column) return { ...filters, descending: !filters.descending };
  return { ...filters, column, descending: false, page: 1 };
}

export function toQuery({ userName, column, descending, page }: Filters): UsersQuery {
  const sort: UsersQuery = column ? { sortBy: column, sortOrder: descending ? 'desc' : 'asc' } : {};
  return { userName: userName.trim(), page, limit: USERS_PER_PAGE, ...sort };
}
