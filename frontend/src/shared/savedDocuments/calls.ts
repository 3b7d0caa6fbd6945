import { responseBody, api } from '@/api/client';
import type { SavedDocument, SaveRequest } from '@/api/types';

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

/** Changes the title of a document; `version` is the version that the user saw. */
export async function renameDocument(id: string, title: string, version: number): Promise<void> {
  await responseBody(
    api.PATCH('/api/v1/documents/saved/{id}', { params: { path: { id } }, body: { title, version } }),
  );
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
