/** Where admins look after templates (specification §2). */
export const TEMPLATES = '/documents';
export const CREATE = '/documents/create';
export const CATEGORIES = '/documents/categories';

export function templatePath(id: string): string {
  return `/documents/${encodeURIComponent(id)}/view`;
}

/** The form by which a template is tried out. */
export function trialFormPath(id: string): string {
  return `/documents/form-document?document=${encodeURIComponent(id)}`;
}

export function trialResultPath(id: string): string {
  return `/documents/document-result?document=${encodeURIComponent(id)}`;
}
