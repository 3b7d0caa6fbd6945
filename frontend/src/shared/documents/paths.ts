/** The paths of template management for admins (specification §2). */
export const TEMPLATES = '/documents';
export const CREATE = '/documents/create';
export const CATEGORIES = '/documents/categories';

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
