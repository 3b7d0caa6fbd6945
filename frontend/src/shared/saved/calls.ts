import { answerOf, api } from '@/api/client';
import type { FieldHelp, NewerTemplate, SavedDocument, SaveRequest } from '@/api/types';
import { valuesOf } from '@/shared/drafts';
import { fileBytes } from '@/shared/files';

/** A saved document with its values and its files as they were saved. */
export interface OpenSaved {
  document: SavedDocument;
  values: Record<string, string>;
  /** The settings of each field of its template version, in order. */
  help: FieldHelp[];
  /** True if empty fields print nothing. */
  blank: boolean;
  docx: Uint8Array<ArrayBuffer>;
  pdf: Uint8Array<ArrayBuffer>;
  /** The newer version of the template, if one is available. */
  newer: NewerTemplate | null;
}

export async function fetchSaved(id: string, signal: AbortSignal): Promise<OpenSaved> {
  const answer = await answerOf(
    api.GET('/api/v1/documents/saved/{id}', { params: { path: { id } }, signal }),
  );
  const { currentDocumentData, ...document } = answer.savedDocument;
  return {
    document,
    values: valuesOf(currentDocumentData),
    help: answer.fieldHelp,
    blank: document.blank,
    docx: await fileBytes(answer.file, answer.fileUrl, signal),
    pdf: await fileBytes(answer.pdf, answer.pdfUrl, signal),
    newer: answer.newerTemplate ?? null,
  };
}

export type Download = 'pdf' | 'docx';

/** Downloads one file of a saved document with its name. It counts as a download. */
export async function downloadSaved(id: string, which: Download) {
  const answer = await answerOf(
    api.GET('/api/v1/documents/saved/{id}', { params: { path: { id }, query: { download: which } } }),
  );
  const bytes =
    which === 'pdf' ? fileBytes(answer.pdf, answer.pdfUrl) : fileBytes(answer.file, answer.fileUrl);
  return { bytes: await bytes, name: `${answer.fileName}.${which}` };
}

/** Saves a new document of a template, or changes a saved one; `key` is the Idempotency-Key. */
export async function save(templateId: string, body: SaveRequest, key: string): Promise<SavedDocument> {
  const { savedDocument } = await answerOf(
    api.POST('/api/v1/documents/{id}/save', {
      params: { path: { id: templateId }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );
  return savedDocument;
}

export async function deleteSaved(id: string): Promise<void> {
  await answerOf(api.DELETE('/api/v1/documents/saved/{id}', { params: { path: { id } } }));
}

export async function restoreSaved(id: string): Promise<SavedDocument> {
  const { savedDocument } = await answerOf(
    api.POST('/api/v1/documents/saved/{id}/restore', { params: { path: { id } } }),
  );
  return savedDocument;
}
