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

import { versionOf } from './work';

/** What is filled in. */
export interface Subject {
  templateId: string;
  title: string;
  /** BCP 47. */
  lang: string;
  fields: string[];
  /** An admin tries it out: nothing is counted or kept. */
  trial?: boolean;
  /** Of an edit: the saved document, and the template's version it is to have. */
  edit: Pick<SaveRequest, 'savedDocumentId' | 'version' | 'templateVersion' | 'title'> | null;
}

export interface Filled {
  pdf: Uint8Array<ArrayBuffer>;
  docx: Uint8Array<ArrayBuffer>;
  /** Without ending, made of the title. */
  fileName: string;
  /** Pages of the filled document: long values may need more than the template has. */
  pages: number;
  warnings: Finding[];
  /** Fields made of others that say nothing, though what they are made of was filled in. */
  unsaid: { field: string; why: Exclude<Unsaid, 'empty'> }[];
}

/** Fills a template; the draft's `filling` names it, so that asking again answers the same and counts nothing. */
export function useFilled(subject: Subject | undefined, draft: Draft) {
  const id = subject?.templateId ?? '';
  return useQuery({
    queryKey: ['filled', id, draft.filling],
    enabled: subject !== undefined && draft.filling !== null,
    staleTime: Infinity,
    // As long as a login, or a registration with its code, may take.
    gcTime: 900_000,
    structuralSharing: false,
    queryFn: async ({ signal, client }): Promise<Filled> => {
      const body: FillRequest = {
        fieldsAndValues: fieldsAndValues(subject?.fields ?? [], draft.values),
        save: false,
        blank: draft.blank,
        ...subject?.edit,
      };
      // That others have changed the document matters when it is saved.
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
        // Nothing is said where that fails: the document is there, and its answers are kept with the next.
        keepAnswers(client, filledIn(helpOf(client, subject, draft), draft.values)).catch(() => undefined);
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

/** What is known of the fields that were filled in: the page that shows the result has asked for it. */
function helpOf(queries: QueryClient, { edit, templateId }: Subject, draft: Draft): FieldHelp[] {
  if (!edit) return queries.getQueryData<OpenDocument>(documentKey(templateId))?.help ?? [];
  const saved = queries.getQueryData<OpenSaved>(savedKey(edit.savedDocumentId ?? ''));
  return saved ? versionOf(saved, draft).help : [];
}
