/** The paths of template management for admins (specification §2). */
export const TEMPLATES = '/documents';
export const CREATE = '/documents/create';
export const CATEGORIES = '/documents/categories';

/** Returns the path of a template's edit. The URL names it, so that two tabs do not disturb each other. */
export function editTemplatePath(id: string): string {
  return `${CREATE}?edit=${encodeURIComponent(id)}`;
}

/** Returns the path of an unfinished template. */
export function unfinishedPath(name: string): string {
  return `${CREATE}?draft=${encodeURIComponent(name)}`;
}

export function templatePath(id: string): string {
  return `/documents/${encodeURIComponent(id)}/view`;
}

/** Returns the path of a template's preview form. */
export function trialFormPath(id: string): string {
  return `/documents/form-document?document=${encodeURIComponent(id)}`;
}

export function trialResultPath(id: string): string {
  return `/documents/document-result?document=${encodeURIComponent(id)}`;
}
