import { useLocation, useSearchParams } from 'react-router';

import type { FieldHelp, SavedDocument } from '@/api/types';
import { currentDocumentId, editKey, type Draft } from '@/shared/drafts';
import type { OpenSaved } from '@/shared/saved/calls';
import { templatePath, trialFormPath, trialResultPath } from '@/shared/documents/paths';
import { editFormPath, editResultPath } from '@/shared/saved/paths';

/**
 * The subject of the form and of the result: a template to fill in, an admin's preview of a template, or an edit of
 * a saved document.
 */
export type Work = TemplateWork | { kind: 'edit'; savedId: string };
export type TemplateWork = { kind: 'new' | 'trial'; templateId: string };

/** Returns the work that the URL names. The URL identifies it, so that two tabs do not disturb each other. */
export function useWorkInAddress(): Work | null {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  // The admin area has its own form and result (specification §2).
  if (!pathname.startsWith('/user-home/')) {
    const templateId = search.get('document');
    return templateId ? { kind: 'trial', templateId } : null;
  }
  const savedId = search.get('saved');
  if (savedId) return { kind: 'edit', savedId };
  const templateId = search.get('document') ?? currentDocumentId();
  return templateId ? { kind: 'new', templateId } : null;
}

export function draftKey(work: Work): string {
  switch (work.kind) {
    case 'edit':
      return editKey(work.savedId);
    case 'trial':
      return `trial:${work.templateId}`;
    case 'new':
      return work.templateId;
  }
}

export function formPath(work: Work): string {
  switch (work.kind) {
    case 'edit':
      return editFormPath(work.savedId);
    case 'trial':
      return trialFormPath(work.templateId);
    case 'new':
      return `/user-home/form-document?document=${encodeURIComponent(work.templateId)}`;
  }
}

export function resultPath(work: Work): string {
  switch (work.kind) {
    case 'edit':
      return editResultPath(work.savedId);
    case 'trial':
      return trialResultPath(work.templateId);
    case 'new':
      return `/user-home/document-result?document=${encodeURIComponent(work.templateId)}`;
  }
}

/** Returns the path of the template's page, for users or for admins. */
export function previewPath({ kind, templateId }: TemplateWork): string {
  return kind === 'trial'
    ? templatePath(templateId)
    : `/user-home/document/${encodeURIComponent(templateId)}`;
}

/** Returns the initial draft of an edit, with the saved values. */
export function editDraft({ document, values, blank }: OpenSaved): Draft {
  const { version, title, template } = document;
  return {
    values,
    blank,
    filling: null,
    edit: { version, title, templateVersion: template.templateVersion },
  };
}

/** Returns the template version that is filled in: the document's own, or the newer one if it was chosen. */
export function versionOf(
  { document, help, newer }: OpenSaved,
  draft: Draft,
): { templateVersion: number; fields: string[]; help: FieldHelp[]; isNewer: boolean } {
  return newer && draft.edit?.templateVersion === newer.templateVersion
    ? { ...newer, help: newer.fieldHelp, isNewer: true }
    : { ...document.template, help, isNewer: false };
}

/** Returns the header data of a saved document. */
export function headingOf({ title, template, usageCount, pages }: SavedDocument) {
  const { language, country, categories } = template;
  return { title, language, country: country ?? null, categories, usageCount, pages };
}
