/** The paths of template management for admins (specification §2). */
export const TEMPLATES_PATH = '/documents';
export const CREATE_TEMPLATE_PATH = '/documents/create';
export const CATEGORIES_PATH = '/documents/categories';

/** Returns the path of a template's edit. The URL names it, so that two tabs do not disturb each other. */
export function editTemplatePath(id: string): string {
  return `${CREATE_TEMPLATE_PATH}?edit=${encodeURIComponent(id)}`;
}

/** Returns the path of an unfinished template. */
export function unfinishedTemplatePath(name: string): string {
  return `${CREATE_TEMPLATE_PATH}?draft=${encodeURIComponent(name)}`;
}

export function templatePath(id: string): string {
  return `/documents/${encodeURIComponent(id)}/view`;
}

/** Returns the path of the form for the test fill of a template. */
export function testFormPath(id: string): string {
  return `/documents/form-document?document=${encodeURIComponent(id)}`;
}

export function testResultPath(id: string): string {
  return `/documents/document-result?document=${encodeURIComponent(id)}`;
}
