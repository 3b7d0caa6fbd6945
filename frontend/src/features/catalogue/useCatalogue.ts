import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';

import { responseBody, api } from '@/api/client';
import { useListFilters } from '@/shared/listFilters';
import { CATALOGUE_PATH, DASHBOARD_PATH, HOME_PATH } from '@/shared/paths';
import { chosenCountryStore, interfaceLanguageStore, templateLanguageStore } from '@/shared/preferences';
import { currentSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';

import { catalogueFilters, toQuery, type Filters } from './filters';

export function useFilters() {
  return useListFilters(catalogueFilters(useStore(templateLanguageStore)));
}

function listQuery(filters: Filters, chosenCountry: string | null, language: string) {
  const query = toQuery(filters, chosenCountry, language);
  return queryOptions({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents', { params: { query }, signal })),
  });
}

export function useCatalogue(filters: Filters) {
  const chosenCountry = useStore(chosenCountryStore);
  const language = useStore(interfaceLanguageStore);
  return useQuery({ ...listQuery(filters, chosenCountry, language), placeholderData: keepPreviousData });
}

/** The paths that redirect to the catalogue for users who are not admins. */
const REDIRECTED_PATHS = [DASHBOARD_PATH, HOME_PATH, `${HOME_PATH}/`];

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
    listQuery(
      catalogueFilters(templateLanguageStore.get()).parse(searchParams),
      chosenCountryStore.get(),
      interfaceLanguageStore.get(),
    ),
  );
}
