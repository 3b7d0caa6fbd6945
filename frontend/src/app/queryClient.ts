import { QueryClient } from '@tanstack/react-query';

import { ApiError } from '@/api/error';
import { whenLoggedOut } from '@/shared/session/session';

/** What the server has said. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // A refusal stays a refusal; only what did not come through is asked for once more.
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
whenLoggedOut(() => queryClient.clear());
