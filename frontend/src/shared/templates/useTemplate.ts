import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';

import { responseBody, api } from '@/api/client';
import type { Template } from '@/api/types';
import { storeCurrentTemplate } from '@/shared/drafts';
import { structureIn, withStructure, type FieldSettings } from '@/shared/fields/fieldSettings';
import { fileBytes } from '@/shared/files';

import { isOwnTemplateId } from './ownTemplates';

export interface OpenTemplate {
  template: Template;
  /** The settings of each field, in order. */
  settings: FieldSettings[];
  docx: Uint8Array<ArrayBuffer>;
  /** The pages of the empty template. */
  pdf: Uint8Array<ArrayBuffer>;
}

/** Returns the cache key of a template. */
export const templateKey = (id: string) => ['document', id];

/** Loads a template with its file and its empty pages. */
export async function fetchTemplate(id: string, signal: AbortSignal): Promise<OpenTemplate> {
  const path = isOwnTemplateId(id) ? '/api/v1/my-templates/{id}' : '/api/v1/documents/{id}';
  const response = await responseBody(api.GET(path, { params: { path: { id } }, signal }));
  const { document: template, fieldHelp, file, fileUrl, pdf, pdfUrl } = response;
  return {
    template,
    settings: withStructure(fieldHelp, structureIn(template)),
    docx: await fileBytes(file, fileUrl, signal),
    pdf: await fileBytes(pdf, pdfUrl, signal),
  };
}

/** Returns the query options of a template. */
export function templateQuery(id: string) {
  return queryOptions({
    queryKey: templateKey(id),
    staleTime: 300_000,
    // A comparison of page bytes would be useless.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const template = await fetchTemplate(id, signal);
      // A private template is not stored in the browser.
      if (!isOwnTemplateId(id)) storeCurrentTemplate(template.template);
      return template;
    },
  });
}

/** Returns a template from the cache or the server. */
export function useTemplate(id: string | null) {
  return useQuery({ ...templateQuery(id ?? ''), enabled: id !== null });
}

/** Returns a template from a loaded list, to show until its own response arrives. */
export function useListedTemplate(id: string): Template | undefined {
  const queryClient = useQueryClient();
  for (const [, list] of queryClient.getQueriesData<{ data: Template[] }>({ queryKey: ['documents'] })) {
    const found = list?.data.find(({ _id }) => _id === id);
    if (found) return found;
  }
  return undefined;
}
