// The data of pages, which are requested together with the code of the page.
import type { LoaderFunctionArgs } from 'react-router';

import { savedDocumentQuery } from '@/shared/savedDocuments/useSavedDocument';
import { currentSession } from '@/shared/session/session';
import { isOwnTemplateId } from '@/shared/templates/ownTemplates';
import { templateQuery } from '@/shared/templates/useTemplate';

import { queryClient } from './queryClient';

type Address = Pick<LoaderFunctionArgs, 'params' | 'request'>;

/** Requests the template, or the saved document, that the URL of a page names. */
export function prefetchDocument({ params, request }: Address): void {
  const search = new URL(request.url).searchParams;
  const savedId = search.get('saved');
  const templateId = params['id'] ?? search.get('document');
  if (savedId) void prefetchSaved(savedId);
  else if (templateId && (currentSession() || !isOwnTemplateId(templateId)))
    void queryClient.prefetchQuery(templateQuery(templateId));
}

/** Requests the saved document of a page. */
export function prefetchSavedDocument({ params }: Address): void {
  if (params['id']) void prefetchSaved(params['id']);
}

async function prefetchSaved(id: string): Promise<void> {
  if (currentSession()) await queryClient.prefetchQuery(savedDocumentQuery(id));
}
