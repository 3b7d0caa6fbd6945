import { responseBody, api } from '@/api/client';
import type { NewerTemplateVersion, SavedDocument } from '@/api/types';
import { structureIn, withStructure, type FieldSettings } from '@/shared/fields/fieldSettings';
import { valuesByField } from '@/shared/fields/fieldsAndValues';
import type { FieldValues } from '@/shared/fields/values';
import { fileBytes } from '@/shared/files';

/** A saved document with its values and its files as they were saved. */
export interface OpenSavedDocument {
  document: SavedDocument;
  values: FieldValues;
  /** The settings of each field of its template version, in order. */
  settings: FieldSettings[];
  /** True if empty fields print nothing. */
  blank: boolean;
  docx: Uint8Array<ArrayBuffer>;
  pdf: Uint8Array<ArrayBuffer>;
  /** The file name without extension. */
  fileName: string;
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
    settings: withStructure(response.fieldHelp, structureIn(document.template)),
    blank: document.blank,
    docx: await fileBytes(response.file, response.fileUrl, signal),
    pdf: await fileBytes(response.pdf, response.pdfUrl, signal),
    fileName: response.fileName,
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
