import { useQuery, useQueryClient } from '@tanstack/react-query';

import { answerOf, api } from '@/api/client';
import type { Document, FieldHelp } from '@/api/types';
import { keepCurrentDocument } from '@/shared/drafts';
import { fileBytes } from '@/shared/files';

export interface OpenDocument {
  document: Document;
  /** The settings of each field, in order. */
  help: FieldHelp[];
  docx: Uint8Array<ArrayBuffer>;
  /** The pages of the empty template. */
  pdf: Uint8Array<ArrayBuffer>;
}

/** Returns the cache key of a template. */
export const documentKey = (id: string | null) => ['document', id];

/** Loads a template with its file and its empty pages. */
export async function fetchDocument(id: string, signal: AbortSignal): Promise<OpenDocument> {
  const answer = await answerOf(api.GET('/api/v1/documents/{id}', { params: { path: { id } }, signal }));
  const { document, fieldHelp, file, fileUrl, pdf, pdfUrl } = answer;
  return {
    document,
    help: fieldHelp,
    docx: await fileBytes(file, fileUrl, signal),
    pdf: await fileBytes(pdf, pdfUrl, signal),
  };
}

/** Returns a template from the cache or the server. */
export function useDocument(id: string | null) {
  return useQuery({
    queryKey: documentKey(id),
    enabled: id !== null,
    staleTime: 300_000,
    // A comparison of page bytes would be useless.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const opened = await fetchDocument(id ?? '', signal);
      keepCurrentDocument(opened.document);
      return opened;
    },
  });
}

/** Returns a template from a loaded list, to show until its own response arrives. */
export function useKnownDocument(id: string): Document | undefined {
  const queries = useQueryClient();
  for (const [, list] of queries.getQueriesData<{ data: Document[] }>({ queryKey: ['documents'] })) {
    const found = list?.data.find(({ _id }) => _id === id);
    if (found) return found;
  }
  return undefined;
}
