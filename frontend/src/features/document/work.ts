import { useLocation, useSearchParams } from 'react-router';

import type { FieldHelp, SavedDocument } from '@/api/types';
import { currentDocumentId, editKey, type Draft } from '@/shared/drafts';
import type { OpenSaved } from '@/shared/saved/calls';
import { templatePath, trialFormPath, trialResultPath } from '@/shared/documents/paths';
import { editFormPath, editResultPath } from '@/shared/saved/paths';

/**
 * What the form and the result are about: a template that is filled in, one that an admin tries out, or a saved document that
 * is edited.
 */
export type Work = TemplateWork | { kind: 'edit'; savedId: string };
export type TemplateWork = { kind: 'new' | 'trial'; templateId: string };

/** The address names it, so that two tabs do not disturb each other. */
export function useWorkInAddress(): Work | null {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  // The admin area has a form and a result of its own (specification §2).
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

/** The template itself, where whoever is at work looks at it. */
export function previewPath({ kind, templateId }: TemplateWork): string {
  return kind === 'trial'
    ? templatePath(templateId)
    : `/user-home/document/${encodeURIComponent(templateId)}`;
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
  { document, help, newer }: OpenSaved,
  draft: Draft,
): { templateVersion: number; fields: string[]; help: FieldHelp[]; isNewer: boolean } {
  return newer && draft.edit?.templateVersion === newer.templateVersion
    ? { ...newer, help: newer.fieldHelp, isNewer: true }
    : { ...document.template, help, isNewer: false };
}

/** What its header says of a saved document. */
export function headingOf({ title, template, usageCount, pages }: SavedDocument) {
  return { title, language: template.language, categories: template.categories, usageCount, pages };
}
