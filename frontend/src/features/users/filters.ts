import type { UsersQuery } from '@/api/types';
import { choiceFilter, filterCodec, pageFilter, textFilter, type FilterCodec } from '@/shared/listFilters';

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

const formats = filterCodec<Filters>({
  userName: textFilter('userName'),
  column: choiceFilter('sortBy', COLUMNS, null),
  descending: {
    parameter: 'sortOrder',
    parse: (text) => text === 'desc',
    format: (descending) => (descending ? 'desc' : ''),
  },
  page: pageFilter,
});

/** Without a column there is no direction either. */
function withValidDirection(filters: Filters): Filters {
  return { ...filters, descending: filters.column !== null && filters.descending };
}

export const userFilters: FilterCodec<Filters> = {
  parse: (search) => withValidDirection(formats.parse(search)),
  format: (filters) => formats.format(withValidDirection(filters)),
};

/**
 * Handles a click on a header: another column starts at the first page, ascending; the same column is reversed
 * (specification §2).
 */
export function sortChange(filters: Filters, column: Column): Partial<Filters> {
  if (filters.column === column) return { descending: !filters.descending, page: filters.page };
  return { column, descending: false };
}

export function toQuery({ userName, column, descending, page }: Filters): UsersQuery {
  const sort: UsersQuery = column ? { sortBy: column, sortOrder: descending ? 'desc' : 'asc' } : {};
  return { userName: userName.trim(), page, limit: USERS_PER_PAGE, ...sort };
}
