import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';

import { answerOf, api } from '@/api/client';
import type { SavedDocument, SavedQuery } from '@/api/types';

import { fetchSaved } from './calls';

const LIST = 'saved';
const ONE = 'saved-document';

/** Returns the cache key of a saved document. */
export const savedKey = (id: string) => [ONE, id];

/** Loads a saved document with its values and pages. */
export function useSaved(id: string) {
  return useQuery({
    queryKey: savedKey(id),
    // A comparison of page bytes would be useless.
    structuralSharing: false,
    queryFn: ({ signal }) => fetchSaved(id, signal),
  });
}

/** Returns the query options of one page of the list. */
export function savedListQuery(query: SavedQuery) {
  return {
    queryKey: [LIST, query],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      answerOf(api.GET('/api/v1/documents/saved', { params: { query }, signal })),
  };
}

interface SavedList {
  savedDocuments: SavedDocument[];
  total: number;
}

/** Returns a saved document from a loaded list, to show until its own response arrives. */
export function useKnownSaved(id: string): SavedDocument | undefined {
  const queries = useQueryClient();
  for (const [, list] of queries.getQueriesData<SavedList>({ queryKey: [LIST] })) {
    const found = list?.savedDocuments.find(({ _id }) => _id === id);
    if (found) return found;
  }
  return undefined;
}

/** Removes a document from the visible lists at once; the next response of the server replaces them. */
export function hideSaved(queries: QueryClient, id: string): void {
  queries.setQueriesData<SavedList>({ queryKey: [LIST] }, (list) =>
    list?.savedDocuments.some(({ _id }) => _id === id)
      ? { savedDocuments: list.savedDocuments.filter(({ _id }) => _id !== id), total: list.total - 1 }
      : list,
  );
}

/** Loads the lists again, and the document if its id is given. */
export function refreshSaved(queries: QueryClient, id?: string): void {
  void queries.invalidateQueries({ queryKey: [LIST] });
  if (id) void queries.invalidateQueries({ queryKey: [ONE, id] });
}

/** Removes a deleted document from the cache. */
export function forgetSaved(queries: QueryClient, id: string): void {
  queries.removeQueries({ queryKey: [ONE, id] });
}
