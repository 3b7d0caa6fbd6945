import { useQuery } from '@tanstack/react-query';

import { post } from '@/api/client';
import type { FillRequest, FillResponse } from '@/api/types';

import { fieldsAndValues, type Draft } from './draft';
import { fileOf } from './files';

/** The filled document. One generation is asked for once, however often its screen is opened. */
export function useGenerated(draft: Draft) {
  return useQuery({
    queryKey: ['fill-fields', draft.generation],
    enabled: draft.generation !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const body: FillRequest = { fieldsAndValues: fieldsAndValues(draft), save: false, blank: draft.blank };
      const answer = await post<FillResponse>(
        `/documents/${encodeURIComponent(draft.document._id)}/fill-fields`,
        body,
        {
          idempotencyKey: draft.generation ?? '',
          signal,
        },
      );
      const [pdf, docx] = await Promise.all([
        fileOf(answer.pdf, answer.pdfUrl, signal),
        fileOf(answer.file, answer.fileUrl, signal),
      ]);
      return { pdf, docx, warnings: answer.warnings };
    },
  });
}
