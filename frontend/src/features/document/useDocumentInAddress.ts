import { useSearchParams } from 'react-router';

import { currentDocumentId } from './drafts';

/** The template the form and the result are about: the address names it, so that two tabs do not disturb each other. */
export function useDocumentInAddress(): string | null {
  const [search] = useSearchParams();
  return search.get('document') ?? currentDocumentId();
}

export function formPath(id: string): string {
  return `/user-home/form-document?document=${encodeURIComponent(id)}`;
}

export function resultPath(id: string): string {
  return `/user-home/document-result?document=${encodeURIComponent(id)}`;
}

export function previewPath(id: string): string {
  return `/user-home/document/${encodeURIComponent(id)}`;
}
