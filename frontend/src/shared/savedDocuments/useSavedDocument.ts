import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';

import { responseBody, api } from '@/api/client';
import type { SavedDocument, SavedDocumentsQuery } from '@/api/types';

const LIST_KEY = 'saved';
const DOCUMENT_KEY = 'saved-document';

/** Returns the cache key of a saved document. */
export const savedDocumentKey = (id: string) => [DOCUMENT_KEY, id];

/** Returns the query options of a saved document with its values and pages. */
export function savedDocumentQuery(id: string) {
  return queryOptions({
    queryKey: savedDocumentKey(id),
    // A comparison of page bytes would be useless.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      // Not needed before a document is opened, so it is not among the first files.
      const { fetchSavedDocument } = await import('./openSavedDocument');
      return fetchSavedDocument(id, signal);
    },
  });
}

export function useSavedDocument(id: string) {
  return useQuery(savedDocumentQuery(id));
}

/** Returns the query options of one page of the list. */
export function savedDocumentsQuery(query: SavedDocumentsQuery) {
  return {
    queryKey: [LIST_KEY, query],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      responseBody(api.GET('/api/v1/documents/saved', { params: { query }, signal })),
  };
}

interface SavedDocumentsPage {
  savedDocuments: SavedDocument[];
  total: number;
}

/** Returns a saved document from a loaded list, to show until its own response arrives. */
export function useListedSavedDocument(id: string): SavedDocument | undefined {
  const queryClient = useQueryClient();
  for (const [, list] of queryClient.getQueriesData<SavedDocumentsPage>({ queryKey: [LIST_KEY] })) {
    const found = list?.savedDocuments.find(({ _id }) => _id === id);
    if (found) return found;
  }
  return undefined;
}

/** Removes a document from the visible lists at once; the next response of the server replaces them. */
export function removeFromSavedLists(queryClient: QueryClient, id: string): void {
  queryClient.setQueriesData<SavedDocumentsPage>({ queryKey: [LIST_KEY] }, (list) =>
    list?.savedDocuments.some(({ _id }) => _id === id)
      ? { savedDocuments: list.savedDocuments.filter(({ _id }) => _id !== id), total: list.total - 1 }
      : list,
  );
}

/** Loads the lists again, and the document if its id is given. */
export function refreshSavedDocuments(queryClient: QueryClient, id?: string): void {
  void queryClient.invalidateQueries({ queryKey: [LIST_KEY] });
  if (id) void queryClient.invalidateQueries({ queryKey: [DOCUMENT_KEY, id] });
}

/** Removes a deleted document from the cache. */
export function removeFromSavedCache(queryClient: QueryClient, id: string): void {
  queryClient.removeQueries({ queryKey: [DOCUMENT_KEY, id] });
}
