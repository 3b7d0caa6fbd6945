import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';

import { answerOf, api } from '@/api/client';
import type { SavedDocument, SavedQuery } from '@/api/types';

import { fetchSaved } from './calls';

const LIST = 'saved';
const ONE = 'saved-document';

/** Under what a saved document is known. */
export const savedKey = (id: string) => [ONE, id];

/** A saved document with its values and pages. */
export function useSaved(id: string) {
  return useQuery({
    queryKey: savedKey(id),
    // Pages are bytes: there is nothing to compare in them.
    structuralSharing: false,
    queryFn: ({ signal }) => fetchSaved(id, signal),
  });
}

/** The query of one page of the list. */
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

/** What a list that was shown knows of a document, until its own answer is there. */
export function useKnownSaved(id: string): SavedDocument | undefined {
  const queries = useQueryClient();
  for (const [, list] of queries.getQueriesData<SavedList>({ queryKey: [LIST] })) {
    const found = list?.savedDocuments.find(({ _id }) => _id === id);
    if (found) return found;
  }
  return undefined;
}

/** Takes a document out of the lists on the screen at once; the next answer of the server says what is so. */
export function hideSaved(queries: QueryClient, id: string): void {
  queries.setQueriesData<SavedList>({ queryKey: [LIST] }, (list) =>
    list?.savedDocuments.some(({ _id }) => _id === id)
      ? { savedDocuments: list.savedDocuments.filter(({ _id }) => _id !== id), total: list.total - 1 }
      : list,
  );
}

/** Saved documents have changed: lists and, if it is named, this document are asked for anew. */
export function refreshSaved(queries: QueryClient, id?: string): void {
  void queries.invalidateQueries({ queryKey: [LIST] });
  if (id) void queries.invalidateQueries({ queryKey: [ONE, id] });
}

/** For a document that is deleted: what is known of it is known no more. */
export function forgetSaved(queries: QueryClient, id: string): void {
  queries.removeQueries({ queryKey: [ONE, id] });
}
