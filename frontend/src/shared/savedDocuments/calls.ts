import { responseBody, api } from '@/api/client';
import type { FieldSettings, NewerTemplateVersion, SavedDocument, SaveRequest } from '@/api/types';
import { valuesByField } from '@/shared/drafts';
import { fileBytes } from '@/shared/files';

/** A saved document with its values and its files as they were saved. */
export interface OpenSavedDocument {
  document: SavedDocument;
  values: Record<string, string>;
  /** The settings of each field of its template version, in order. */
  settings: FieldSettings[];
  /** True if empty fields print nothing. */
  blank: boolean;
  docx: Uint8Array<ArrayBuffer>;
  pdf: Uint8Array<ArrayBuffer>;
  /** The newer version of the template, if one is available. */
  newerVersion: NewerTemplateVersion | null;
}

export async function fetchSavedDocument(id: string, signal: AbortSignal): Promise<OpenSavedDocument> {
  const response = await responseBody(
    api.GET('/api/v1/documents/saved/{id}', { params: { path: { id } }, signal }),
  );
  const { currentDocumentData, ...document } = response.savedDocument;
  return {
    document,
    values: valuesByField(currentDocumentData),
    settings: response.fieldHelp,
    blank: document.blank,
    docx: await fileBytes(response.file, response.fileUrl, signal),
    pdf: await fileBytes(response.pdf, response.pdfUrl, signal),
    newerVersion: response.newerTemplate ?? null,
  };
}

export type FileFormat = 'pdf' | 'docx';

/** Downloads one file of a saved document with its name. It counts as a download. */
export async function downloadSavedDocument(id: string, format: FileFormat) {
  const response = await responseBody(
    api.GET('/api/v1/documents/saved/{id}', { params: { path: { id }, query: { download: format } } }),
  );
  const bytes =
    format === 'pdf' ? fileBytes(response.pdf, response.pdfUrl) : fileBytes(response.file, response.fileUrl);
  return { bytes: await bytes, name: `${response.fileName}.${format}` };
}

/** Saves a new document of a template, or changes a saved one; `key` is the Idempotency-Key. */
export async function saveDocument(
  templateId: string,
  body: SaveRequest,
  key: string,
): Promise<SavedDocument> {
  const { savedDocument } = await responseBody(
    api.POST('/api/v1/documents/{id}/save', {
      params: { path: { id: templateId }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );
  return savedDocument;
}

export async function deleteSavedDocument(id: string): Promise<void> {
  await responseBody(api.DELETE('/api/v1/documents/saved/{id}', { params: { path: { id } } }));
}

export async function undeleteDocument(id: string): Promise<SavedDocument> {
  const { savedDocument } = await responseBody(
    api.POST('/api/v1/documents/saved/{id}/restore', { params: { path: { id } } }),
  );
  return savedDocument;
}
