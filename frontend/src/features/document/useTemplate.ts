import { useQuery } from '@tanstack/react-query';

import { get } from '@/api/client';
import type { DocumentResponse } from '@/api/types';

import { fileOf } from './files';

/** A template with its pages as they are before anything is filled in. */
export function useTemplate(id: string) {
  return useQuery({
    queryKey: ['/documents', id],
    queryFn: async ({ signal }) => {
      const answer = await get<DocumentResponse>(`/documents/${encodeURIComponent(id)}`, {}, { signal });
      return { document: answer.document, pdf: await fileOf(answer.pdf, answer.pdfUrl, signal) };
    },
  });
}
