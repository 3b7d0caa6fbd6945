import { useQuery, type QueryClient } from '@tanstack/react-query';

import { anonymous, answerOf, api } from '@/api/client';
import type { FieldHelp, FillRequest, Finding, SaveRequest, Unsaid } from '@/api/types';
import { keepAnswers } from '@/shared/answers/account';
import { filledIn } from '@/shared/answers/answers';
import { documentKey, type OpenDocument } from '@/shared/documents/useDocument';
import { fieldsAndValues, isGuests, type Draft } from '@/shared/drafts';
import { fileBytes } from '@/shared/files';
import type { OpenSaved } from '@/shared/saved/calls';
import { savedKey } from '@/shared/saved/useSaved';
import { currentSession } from '@/shared/session/session';

import { versionOf } from './work';

/** The template or document to fill. */
export interface Subject {
  templateId: string;
  title: string;
  /** The language, BCP 47. */
  lang: string;
  fields: string[];
  /** True for an admin's preview, which is neither counted nor saved. */
  trial?: boolean;
  /** For an edit: the saved document, and the template version that it gets. */
  edit: Pick<SaveRequest, 'savedDocumentId' | 'version' | 'templateVersion' | 'title'> | null;
}

export interface Filled {
  pdf: Uint8Array<ArrayBuffer>;
  docx: Uint8Array<ArrayBuffer>;
  /** The file name without extension, made from the title. */
  fileName: string;
  /** The number of pages of the filled document. Long values may need more pages than the template has. */
  pages: number;
  warnings: Finding[];
  /** Derived fields that are empty although their sources are filled in. */
  unsaid: { field: string; why: Exclude<Unsaid, 'empty'> }[];
}

/**
 * Fills a template. The draft's `filling` is the idempotency key, so a repeated request returns the same and is not
 * counted again.
 */
export function useFilled(subject: Subject | undefined, draft: Draft) {
  const id = subject?.templateId ?? '';
  return useQuery({
    queryKey: ['filled', id, draft.filling],
    enabled: subject !== undefined && draft.filling !== null,
    staleTime: Infinity,
    // 15 minutes, because a login or a registration with its code may take that long.
    gcTime: 900_000,
    structuralSharing: false,
    queryFn: async ({ signal, client }): Promise<Filled> => {
      const user = currentSession()?.user._id;
      const body: FillRequest = {
        fieldsAndValues: fieldsAndValues(subject?.fields ?? [], draft.values),
        save: false,
        blank: draft.blank,
        ...subject?.edit,
      };
      // The version is left out: a change by others only matters when the document is saved.
      delete body.version;
      const { fieldsAndValues: values, blank } = body;
      const caller = draft.filling !== null && isGuests(draft.filling) ? anonymous : api;
      const answer = await answerOf(
        subject?.trial
          ? api.POST('/api/v1/documents/{id}/try', {
              params: { path: { id } },
              body: { fieldsAndValues: values, blank: blank ?? false },
              signal,
            })
          : caller.POST('/api/v1/documents/{id}/fill-fields', {
              params: { path: { id }, header: { 'Idempotency-Key': draft.filling } },
              body,
              signal,
            }),
      );
      if (subject && !subject.trial)
        // A failure is ignored: the document is ready, and its answers are saved with the next one.
        keepAnswers(client, user, filledIn(helpOf(client, subject, draft), draft.values)).catch(
          () => undefined,
        );
      return {
        pdf: await fileBytes(answer.pdf, answer.pdfUrl, signal),
        docx: await fileBytes(answer.file, answer.fileUrl, signal),
        fileName: answer.fileName,
        pages: answer.pages,
        warnings: answer.warnings,
        unsaid: (answer.unsaid ?? []).flatMap(({ field, why }) => (why === 'empty' ? [] : [{ field, why }])),
      };
    },
  });
}

/** Returns the settings of the filled fields from the cache; the result page has requested them. */
function helpOf(queries: QueryClient, { edit, templateId }: Subject, draft: Draft): FieldHelp[] {
  if (!edit) return queries.getQueryData<OpenDocument>(documentKey(templateId))?.help ?? [];
  const saved = queries.getQueryData<OpenSaved>(savedKey(edit.savedDocumentId ?? ''));
  return saved ? versionOf(saved, draft).help : [];
}
