export const SAVED_DOCUMENTS_PATH = '/user-home/user-documents';

export function savedDocumentPath(id: string): string {
  return `${SAVED_DOCUMENTS_PATH}/${encodeURIComponent(id)}`;
}

export function editFormPath(id: string): string {
  return `/user-home/form-document?saved=${encodeURIComponent(id)}`;
}

export function editResultPath(id: string): string {
  return `/user-home/document-result?saved=${encodeURIComponent(id)}`;
}
