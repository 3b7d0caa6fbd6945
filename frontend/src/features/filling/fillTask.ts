import { useLocation, useSearchParams } from 'react-router';

import type { SavedDocument } from '@/api/types';
import { currentTemplateId, editDraftKey, type Draft } from '@/shared/drafts';
import { structureIn, withStructure, type FieldSettings } from '@/shared/fields/fieldSettings';
import {
  catalogueTemplatePath,
  HOME_PATH,
  newFormPath,
  newResultPath,
  MY_TEMPLATES_PATH,
  editFormPath,
  editResultPath,
  templatePath,
  testFormPath,
  testResultPath,
} from '@/shared/paths';
import type { OpenSavedDocument } from '@/shared/savedDocuments/openSavedDocument';
import { isOwnTemplateId } from '@/shared/templates/ownTemplates';

/**
 * The task of the form and of the result page: filling in a template, the test fill of an admin, or the edit of a
 * saved document.
 */
export type FillTask = TemplateTask | { kind: 'edit'; savedId: string };
export type TemplateTask = { kind: 'new' | 'test'; templateId: string };

/** Returns the task that the URL names. The URL identifies it, so that two tabs do not disturb each other. */
export function useFillTask(): FillTask | null {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  // The admin area has its own form and result (specification §2).
  if (!pathname.startsWith(`${HOME_PATH}/`)) {
    const templateId = search.get('document');
    return templateId ? { kind: 'test', templateId } : null;
  }
  const savedId = search.get('saved');
  if (savedId) return { kind: 'edit', savedId };
  const templateId = search.get('document') ?? currentTemplateId();
  return templateId ? { kind: 'new', templateId } : null;
}

export function draftKey(task: FillTask): string {
  switch (task.kind) {
    case 'edit':
      return editDraftKey(task.savedId);
    case 'test':
      return `trial:${task.templateId}`;
    case 'new':
      return task.templateId;
  }
}

export function formPath(task: FillTask): string {
  switch (task.kind) {
    case 'edit':
      return editFormPath(task.savedId);
    case 'test':
      return testFormPath(task.templateId);
    case 'new':
      return newFormPath(task.templateId);
  }
}

export function resultPath(task: FillTask): string {
  switch (task.kind) {
    case 'edit':
      return editResultPath(task.savedId);
    case 'test':
      return testResultPath(task.templateId);
    case 'new':
      return newResultPath(task.templateId);
  }
}

/** Returns the path of the template's page, for users or for admins. Private templates have none, but their list. */
export function previewPath({ kind, templateId }: TemplateTask): string {
  if (isOwnTemplateId(templateId)) return MY_TEMPLATES_PATH;
  return kind === 'test' ? templatePath(templateId) : catalogueTemplatePath(templateId);
}

/** Returns the initial draft of an edit, with the saved values. */
export function initialEditDraft({ document, values, blank }: OpenSavedDocument): Draft {
  const { version, title, template } = document;
  return {
    values,
    blank,
    filling: null,
    edit: { version, title, templateVersion: template.templateVersion },
  };
}

/** Returns the template version that is filled in: the document's own, or the newer one if it was chosen. */
export function filledVersion(
  { document, settings, newerVersion }: OpenSavedDocument,
  chosenVersion: number | undefined,
): { templateVersion: number; settings: FieldSettings[]; isNewer: boolean } {
  if (!newerVersion || chosenVersion !== newerVersion.templateVersion)
    return { templateVersion: document.template.templateVersion, settings, isNewer: false };
  const { templateVersion, fieldHelp } = newerVersion;
  return {
    templateVersion,
    settings: withStructure(fieldHelp, structureIn(newerVersion)),
    isNewer: true,
  };
}

/** Returns the header data of a saved document. */
export function documentHeading({ title, template, usageCount, pages }: SavedDocument) {
  const { language, country, categories } = template;
  return { title, language, country: country ?? null, categories, usageCount, pages };
}
