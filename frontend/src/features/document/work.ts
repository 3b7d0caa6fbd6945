import { useSearchParams } from 'react-router';

import type { SavedDocument } from '@/api/types';
import { currentDocumentId, editKey, type Draft } from '@/shared/drafts';
import type { OpenSaved } from '@/shared/saved/calls';
import { editFormPath, editResultPath } from '@/shared/saved/paths';

/** What the form and the result are about: a template that is filled in, or a saved document that is edited. */
export type Work = { kind: 'new'; templateId: string } | { kind: 'edit'; savedId: string };

/** The address names it, so that two tabs do not disturb each other. */
export function useWorkInAddress(): Work | null {
  const [search] = useSearchParams();
  const savedId = search.get('saved');
  if (savedId) return { kind: 'edit', savedId };
  const templateId = search.get('document') ?? currentDocumentId();
  return templateId ? { kind: 'new', templateId } : null;
}

export function draftKey(work: Work): string {
  return work.kind === 'edit' ? editKey(work.savedId) : work.templateId;
}

export function formPath(work: Work): string {
  return work.kind === 'edit'
    ? editFormPath(work.savedId)
    : `/user-home/form-document?document=${encodeURIComponent(work.templateId)}`;
}

export function resultPath(work: Work): string {
  return work.kind === 'edit'
    ? editResultPath(work.savedId)
    : `/user-home/document-result?document=${encodeURIComponent(work.templateId)}`;
}

export function previewPath(templateId: string): string {
  return `/user-home/document/${encodeURIComponent(templateId)}`;
}

/** An edit as it begins: with what was saved. */
export function editDraft({ document, values, blank }: OpenSaved): Draft {
  const { version, title, template } = document;
  return {
    values,
    blank,
    filling: null,
    edit: { version, title, templateVersion: template.templateVersion },
  };
}

/** What is filled in: the document's own template, or the newer one that was chosen. */
export function versionOf(
  { document, newer }: OpenSaved,
  draft: Draft,
): { templateVersion: number; fields: string[]; isNewer: boolean } {
  return newer && draft.edit?.templateVersion === newer.templateVersion
    ? { ...newer, isNewer: true }
    : { ...document.template, isNewer: false };
}

/** What its header says of a saved document. */
export function headingOf({ title, template, usageCount, pages }: SavedDocument) {
  return { title, language: template.language, categories: template.categories, usageCount, pages };
}
