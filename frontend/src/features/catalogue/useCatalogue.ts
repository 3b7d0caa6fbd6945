import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';

import { responseBody, api } from '@/api/client';
import { chosenCountryStore, templateLanguageStore } from '@/shared/preferences';
import { currentSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';

import { applyFilterChange, parseFilters, toQuery, toSearchParams, type Filters } from './filters';

/** The filters are part of the URL, so that back, reload and a shared link show the same list. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const storedLanguage = useStore(templateLanguageStore);
  const filters = parseFilters(search, storedLanguage);
  /** `typing` replaces the URL, so that the history does not get an entry for each letter. */
  const change = (changes: Partial<Filters>, typing = false) =>
    setSearch(
      (now) => toSearchParams(applyFilterChange(parseFilters(now, storedLanguage), changes), storedLanguage),
      {
        replace: typing,
        preventScrollReset: true,
      },
    );
  return { filters, change };
}

function listQuery(filters: Filters, chosenCountry: string | null) {
  const query = toQuery(filters, chosenCountry);
  return queryOptions({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents', { params: { query }, signal })),
  });
}

export function useCatalogue(filters: Filters) {
  const chosenCountry = useStore(chosenCountryStore);
  return useQuery({ ...listQuery(filters, chosenCountry), placeholderData: keepPreviousData });
}

/** The path of the catalogue, and the paths that redirect there for users who are not admins. */
const CATALOGUE_PATH = '/user-home/user-all-documents';
const REDIRECTED_PATHS = ['/', '/user-home', '/user-home/'];

/**
 * Redirects before anything is shown. A later redirect would override a link that the user has clicked meanwhile.
 */
export function redirectToCatalogue() {
  const leads =
    REDIRECTED_PATHS.includes(window.location.pathname) && currentSession()?.user.role !== 'admin';
  if (leads) window.history.replaceState(null, '', CATALOGUE_PATH);
}

/** Requests the list for this URL before the page can be shown. */
export function prefetchCatalogue(
  queryClient: QueryClient,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
) {
  if (pathname !== CATALOGUE_PATH) return;
  const searchParams = new URLSearchParams(search);
  void queryClient.prefetchQuery(
    listQuery(parseFilters(searchParams, templateLanguageStore.get()), chosenCountryStore.get()),
  );
}
