import { useEffect } from 'react';

/** The number of cards per page in every list of documents (specification §9). */
export const PAGE_SIZE = 12;

export function pageCount(total: number, size = PAGE_SIZE): number {
  return Math.max(1, Math.ceil(total / size));
}

/** Returns the page number of a URL's parameter, from 1. */
export function parsePage(text: string | null): number {
  const page = Number(text ?? '1');
  return Number.isInteger(page) && page > 0 ? page : 1;
}

interface ListQuery {
  data: { total: number } | undefined;
  isPlaceholderData: boolean;
}

/**
 * Returns the number of pages of a list. If the URL's page number is too high, or the last entry of the last page was
 * deleted, `leave` is called with the number of the last page.
 */
export function usePages(
  { data, isPlaceholderData }: ListQuery,
  page: number,
  leave: (lastPage: number) => void,
  size = PAGE_SIZE,
): { pages: number; isBeyondLastPage: boolean } {
  const pages = pageCount(data?.total ?? 0, size);
  const isBeyondLastPage = data !== undefined && !isPlaceholderData && page > pages;
  useEffect(() => {
    if (isBeyondLastPage) leave(pages);
  });
  return { pages, isBeyondLastPage };
}
