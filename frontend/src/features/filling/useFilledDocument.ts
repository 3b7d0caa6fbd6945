import { useQuery, type QueryClient } from '@tanstack/react-query';

import { anonymousApi, responseBody, api } from '@/api/client';
import type { FillRequest, Diagnostic, SaveRequest, NoValueReason } from '@/api/types';
import { saveAnswers } from '@/shared/savedAnswers/account';
import { answersFromForm } from '@/shared/savedAnswers/answers';
import { isOwnTemplateId } from '@/shared/templates/ownTemplates';
import { templateKey, type OpenTemplate } from '@/shared/templates/useTemplate';
import { isGuestFilling, type Draft } from '@/shared/drafts';
import { toFieldsAndValues } from '@/shared/fields/fieldsAndValues';
import type { FieldSettings } from '@/shared/fields/fieldSettings';
import type { StructuredField } from '@/shared/fields/values';
import { fileBytes } from '@/shared/files';
import type { OpenSavedDocument } from '@/shared/savedDocuments/openSavedDocument';
import { savedDocumentKey } from '@/shared/savedDocuments/useSavedDocument';
import { currentSession } from '@/shared/session/session';

import { filledVersion } from './fillTask';

/** The template or document to fill. */
export interface FillTarget {
  templateId: string;
  title: string;
  /** The language, BCP 47. */
  lang: string;
  fields: StructuredField[];
  /** True for a test fill by an admin, which is neither counted nor saved. */
  isTest?: boolean;
  /** For an edit: the saved document, and the template version that it gets. */
  edit: Pick<SaveRequest, 'savedDocumentId' | 'version' | 'templateVersion' | 'title'> | null;
}

export interface FilledDocument {
  pdf: Uint8Array<ArrayBuffer>;
  docx: Uint8Array<ArrayBuffer>;
  /** The file name without extension, made from the title. */
  fileName: string;
  /** The number of pages of the filled document. Long values may need more pages than the template has. */
  pages: number;
  warnings: Diagnostic[];
  /** Derived fields that are empty although their sources are filled in. */
  missingValues: {
    /** The name of the field, or the path of a value in a list. */
    field: string;
    why: Exclude<NoValueReason, 'empty'>;
  }[];
}

/**
 * Fills a template. The draft's `filling` is the idempotency key, so a repeated request returns the same and is not
 * counted again.
 */
export function useFilledDocument(target: FillTarget | undefined, draft: Draft) {
  const id = target?.templateId ?? '';
  return useQuery({
    queryKey: ['filled', id, draft.filling],
    enabled: target !== undefined && draft.filling !== null,
    staleTime: Infinity,
    // 15 minutes, because a login or a registration with its code may take that long.
    gcTime: 900_000,
    structuralSharing: false,
    queryFn: async ({ signal, client }): Promise<FilledDocument> => {
      const user = currentSession()?.user._id;
      const body: FillRequest = {
        fieldsAndValues: toFieldsAndValues(target?.fields ?? [], draft.values),
        save: false,
        blank: draft.blank,
        ...target?.edit,
      };
      // The version is left out, because it is only checked when the document is saved.
      delete body.version;
      const { fieldsAndValues: values, blank } = body;
      const apiClient = draft.filling !== null && isGuestFilling(draft.filling) ? anonymousApi : api;
      const fillPath = isOwnTemplateId(id)
        ? '/api/v1/my-templates/{id}/fill-fields'
        : '/api/v1/documents/{id}/fill-fields';
      const response = await responseBody(
        target?.isTest
          ? api.POST('/api/v1/documents/{id}/try', {
              params: { path: { id } },
              body: { fieldsAndValues: values, blank: blank ?? false },
              signal,
            })
          : apiClient.POST(fillPath, {
              params: { path: { id }, header: { 'Idempotency-Key': draft.filling } },
              body,
              signal,
            }),
      );
      if (target && !target.isTest)
        // A failure is ignored: the document is ready, and its answers are saved with the next one.
        saveAnswers(
          client,
          user,
          answersFromForm(settingsFromCache(client, target, draft), draft.values),
        ).catch(() => undefined);
      return {
        pdf: await fileBytes(response.pdf, response.pdfUrl, signal),
        docx: await fileBytes(response.file, response.fileUrl, signal),
        fileName: response.fileName,
        pages: response.pages,
        warnings: response.warnings,
        missingValues: (response.unsaid ?? []).flatMap(({ field, why }) =>
          why === 'empty' ? [] : [{ field, why }],
        ),
      };
    },
  });
}

/** Returns the settings of the filled fields from the cache; the result page has requested them. */
function settingsFromCache(
  queryClient: QueryClient,
  { edit, templateId }: FillTarget,
  draft: Draft,
): FieldSettings[] {
  if (!edit) return queryClient.getQueryData<OpenTemplate>(templateKey(templateId))?.settings ?? [];
  const saved = queryClient.getQueryData<OpenSavedDocument>(savedDocumentKey(edit.savedDocumentId ?? ''));
  return saved ? filledVersion(saved, draft.edit?.templateVersion).settings : [];
}
