import { QueryClient } from '@tanstack/react-query';

import { ApiError } from '@/api/error';
import { whenLoggedOut } from '@/shared/session/session';

/** The cache of the server's responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // An error response stays an error. Only a request that failed on the way or in the server is repeated, once.
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
whenLoggedOut(() => queryClient.clear());
