import { useQuery } from '@tanstack/react-query';

import { post } from '@/api/client';
import type { Document, FillRequest, FillResponse, Finding } from '@/api/types';

import { fieldsAndValues, type Draft } from './drafts';
import { fileBytes } from './files';

export interface Filled {
  pdf: Uint8Array<ArrayBuffer>;
  docx: Uint8Array<ArrayBuffer>;
  /** Without ending, made of the title. */
  fileName: string;
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
      const request: FillRequest = {
        fieldsAndValues: fieldsAndValues(document?.fields ?? [], draft.values),
        save: false,
        blank: draft.blank,
      };
      const path = `/documents/${encodeURIComponent(id)}/fill-fields`;
      const answer = await post<FillResponse>(path, request, { idempotencyKey: draft.filling ?? '', signal });
      return {
        pdf: await fileBytes(answer.pdf, answer.pdfUrl, signal),
        docx: await fileBytes(answer.file, answer.fileUrl, signal),
        fileName: answer.fileName,
        warnings: answer.warnings,
      };
    },
  });
}
