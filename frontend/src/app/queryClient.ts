import { MutationCache, QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import toast from 'react-hot-toast';

import { ApiError, hasSessionEnded } from '@/api/error';
import { errorText } from '@/shared/i18n/errors';
import { onIdentityChange } from '@/shared/session/session';

/** Reports failed mutations, except those of an ended session, which `SessionEndedDialog` reports. */
const mutationCache = new MutationCache({
  onError: (error, _variables, _onMutateResult, { meta }) => {
    if (meta?.failureText && !hasSessionEnded(error))
      toast.error(meta.failureText(errorText(error, i18next.t)));
  },
});

/** The cache of the server's responses. */
export const queryClient = new QueryClient({
  mutationCache,
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // An error response stays an error. A request is repeated once if the network or the server failed.
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      networkMode: 'always',
      // What could not be loaded is loaded when the network is back. The default of `networkMode: 'always'` is never.
      refetchOnReconnect: ({ state }) => state.status === 'error',
    },
    mutations: { networkMode: 'always' },
  },
});

// A user who logs in keeps the page of the guest, so its responses are requested again. When a user leaves, all
// screens are created again.
onIdentityChange(({ from }) => {
  if (from === null) void queryClient.resetQueries();
  else queryClient.clear();
});
