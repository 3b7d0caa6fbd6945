import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';

import { answerOf, api } from '@/api/client';
import { country, languageCode } from '@/shared/preferences';
import { currentSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';

import { changed, filtersOf, queryOf, searchOf, type Filters } from './filters';

/** The filters are part of the URL, so that back, reload and a shared link show the same list. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const stored = useStore(languageCode);
  const filters = filtersOf(search, stored);
  /** `typing` replaces the URL, so that the history does not get an entry for each letter. */
  const change = (what: Partial<Filters>, typing = false) =>
    setSearch((now) => searchOf(changed(filtersOf(now, stored), what), stored), {
      replace: typing,
      preventScrollReset: true,
    });
  return { filters, change };
}

function listQuery(filters: Filters, chosenCountry: string | null) {
  const query = queryOf(filters, chosenCountry);
  return queryOptions({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/documents', { params: { query }, signal })),
  });
}

export function useCatalogue(filters: Filters) {
  const chosenCountry = useStore(country);
  return useQuery({ ...listQuery(filters, chosenCountry), placeholderData: keepPreviousData });
}

/** The path of the catalogue, and the paths that redirect there for users who are not admins. */
const PATH = '/user-home/user-all-documents';
const LEADING_THERE = ['/', '/user-home', '/user-home/'];

/**
 * Redirects before anything is shown. A later redirect would override a link that the user has clicked meanwhile.
 */
export function leadToCatalogue() {
  const leads = LEADING_THERE.includes(window.location.pathname) && currentSession()?.user.role !== 'admin';
  if (leads) window.history.replaceState(null, '', PATH);
}

/** Requests the list for this URL before the page can be shown. */
export function fetchAhead(
  queries: QueryClient,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
) {
  if (pathname !== PATH) return;
  const asked = new URLSearchParams(search);
  void queries.prefetchQuery(listQuery(filtersOf(asked, languageCode.get()), country.get()));
}
