import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';

import { answerOf, api } from '@/api/client';
import { country, languageCode } from '@/shared/preferences';
import { useStore } from '@/shared/store';

import { changed, filtersOf, queryOf, searchOf, type Filters } from './filters';

/** The filters live in the address, so that back, reload and a link sent to somebody show the same. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const stored = useStore(languageCode);
  const filters = filtersOf(search, stored);
  /** `typing` replaces the address instead of adding one to the history for each letter. */
  const change = (what: Partial<Filters>, typing = false) =>
    setSearch((now) => searchOf(changed(filtersOf(now, stored), what), stored), {
      replace: typing,
      preventScrollReset: true,
    });
  return { filters, change };
}

export function useCatalogue(filters: Filters) {
  const chosenCountry = useStore(country);
  const query = queryOf(filters, chosenCountry);
  return useQuery({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/documents', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}
