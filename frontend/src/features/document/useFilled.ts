import { useQuery } from '@tanstack/react-query';

import { answerOf, api } from '@/api/client';
import type { Document, FillRequest, Finding } from '@/api/types';

import { fieldsAndValues, type Draft } from './drafts';
import { fileBytes } from './files';

export interface Filled {
  pdf: Uint8Array<ArrayBuffer>;
  docx: Uint8Array<ArrayBuffer>;
  /** Without ending, made of the title. */
  fileName: string;
  /** Pages of the filled document: long values may need more than the template has. */
  pages: number;
  warnings: Finding[];
}

/** Fills a template; the draft's `filling` names it, so that asking again answers the same and counts nothing. */
export function useFilled(document: Document | undefined, draft: Draft) {
  const id = document?._id ?? '';
  return useQuery({
    queryKey: ['filled', id, draft.filling],
    enabled: document !== undefined && draft.filling !== null,
    staleTime: Infinity,
    gcTime: 60_000,
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<Filled> => {
      const body: FillRequest = {
        fieldsAndValues: fieldsAndValues(document?.fields ?? [], draft.values),
        save: false,
        blank: draft.blank,
      };
      const answer = await answerOf(
        api.POST('/api/v1/documents/{id}/fill-fields', {
          params: { path: { id }, header: { 'Idempotency-Key': draft.filling } },
          body,
          signal,
        }),
      );
      return {
        pdf: await fileBytes(answer.pdf, answer.pdfUrl, signal),
        docx: await fileBytes(answer.file, answer.fileUrl, signal),
        fileName: answer.fileName,
        pages: answer.pages,
        warnings: answer.warnings,
      };
    },
  });
}
