export const MY_DOCUMENTS = '/user-home/user-documents';

export function savedPath(id: string): string {
  return `${MY_DOCUMENTS}/${encodeURIComponent(id)}`;
}

export function editFormPath(id: string): string {
  return `/user-home/form-document?saved=${encodeURIComponent(id)}`;
}

export function editResultPath(id: string): string {
  return `/user-home/document-result?saved=${encodeURIComponent(id)}`;
}
