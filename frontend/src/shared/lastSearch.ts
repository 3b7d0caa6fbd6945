import { useEffect } from 'react';
import { useLocation } from 'react-router';

import { onUserLeave } from '@/shared/session/session';
import { createStore, useStore } from '@/shared/store';

/** The last query of the URL of each list, by path. */
const lastSearches = createStore<Readonly<Record<string, string>>>({});
onUserLeave(() => lastSearches.set({}));

/** Stores the query of the current URL, so that other pages can lead back to the same list. */
export function useStoredSearch(): void {
  const { pathname, search } = useLocation();
  useEffect(() => lastSearches.set({ ...lastSearches.get(), [pathname]: search }), [pathname, search]);
}

/** Returns the path of a list with its last search, filters and page. */
export function useListUrl(path: string): string {
  return path + (useStore(lastSearches)[path] ?? '');
}
