// The paths of all screens (specification §2). ESLint forbids them as text elsewhere.
import type { User } from '@/api/types';

/** The start page: the dashboard for admins; leads to `HOME_PATH` for everyone else. */
export const DASHBOARD_PATH = '/';
/** Leads to the catalogue. */
export const HOME_PATH = '/user-home';
export const CATALOGUE_PATH = '/user-home/user-all-documents';
export const HELP_PATH = '/user-home/help-center';
/** The page of saved answers, also for guests. */
export const SAVED_ANSWERS_PATH = '/user-home/user-answers';
export const SAVED_DOCUMENTS_PATH = '/user-home/user-documents';
export const FORM_PATH = '/user-home/form-document';
export const RESULT_PATH = '/user-home/document-result';
export const USER_ACCOUNT_PATH = '/user-home/user-account-setting';

/** The private templates of a user. */
export const MY_TEMPLATES_PATH = '/my-templates';
export const CREATE_MY_TEMPLATE_PATH = '/my-templates/create';

/** The area of admins. */
export const TEMPLATES_PATH = '/documents';
export const CREATE_TEMPLATE_PATH = '/documents/create';
export const CATEGORIES_PATH = '/documents/categories';
export const TEST_FORM_PATH = '/documents/form-document';
export const TEST_RESULT_PATH = '/documents/document-result';
export const USERS_PATH = '/users';
export const MESSAGES_PATH = '/messages';
export const ADMIN_ACCOUNT_PATH = '/account-setting';

export const LOGIN_PATH = '/login';
export const REGISTER_PATH = '/register';
export const OTP_PATH = '/otp-verification';
export const FORGOT_PASSWORD_PATH = '/forgot-password';
export const RESET_PASSWORD_PATH = '/reset-password';
export const REVERT_EMAIL_PATH = '/restore-email';
export const TERMS_PATH = '/terms';
export const PRIVACY_PATH = '/privacy';

// The URL names what a form works on, so that two tabs do not disturb each other.
const withParameter = (path: string, parameter: string, value: string) =>
  `${path}?${parameter}=${encodeURIComponent(value)}`;

export function catalogueTemplatePath(templateId: string): string {
  return `/user-home/document/${encodeURIComponent(templateId)}`;
}

export function newFormPath(templateId: string): string {
  return withParameter(FORM_PATH, 'document', templateId);
}

export function newResultPath(templateId: string): string {
  return withParameter(RESULT_PATH, 'document', templateId);
}

export function savedDocumentPath(id: string): string {
  return `${SAVED_DOCUMENTS_PATH}/${encodeURIComponent(id)}`;
}

export function editFormPath(savedId: string): string {
  return withParameter(FORM_PATH, 'saved', savedId);
}

export function editResultPath(savedId: string): string {
  return withParameter(RESULT_PATH, 'saved', savedId);
}

export function editMyTemplatePath(id: string): string {
  return withParameter(CREATE_MY_TEMPLATE_PATH, 'edit', id);
}

/** Returns the path of an admin's view of a template. */
export function templatePath(id: string): string {
  return `${TEMPLATES_PATH}/${encodeURIComponent(id)}/view`;
}

export function editTemplatePath(id: string): string {
  return withParameter(CREATE_TEMPLATE_PATH, 'edit', id);
}

/** Returns the path of an unfinished template. */
export function unfinishedTemplatePath(name: string): string {
  return withParameter(CREATE_TEMPLATE_PATH, 'draft', name);
}

/** Returns the path of the form for the test fill of a template. */
export function testFormPath(id: string): string {
  return withParameter(TEST_FORM_PATH, 'document', id);
}

export function testResultPath(id: string): string {
  return withParameter(TEST_RESULT_PATH, 'document', id);
}

/** Returns the path of the account settings, which admins have in their own area. */
export function accountPath(role: User['role']): string {
  return role === 'admin' ? ADMIN_ACCOUNT_PATH : USER_ACCOUNT_PATH;
}
