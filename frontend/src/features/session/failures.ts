import type { TFunction } from 'i18next';

import { ApiError } from '@/api/error';
import type { ErrorCode } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';

/** Not a refusal: limits and outages speak for themselves. */
function isOutage(error: ApiError): boolean {
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

/** Whether an answer is about what was entered, and not about limits or an outage. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && !isOutage(error);
}

/** The account a login has to verify first (specification §4: the message mentions OTP), or null. */
export function unverifiedAccount(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 401) return null;
  const unverified = error.code === 'email_not_verified' || /\botp\b/i.test(error.message);
  return unverified ? (error.details.userId ?? null) : null;
}

/**
 * What a failed login says (specification §4): an unverified address is named, any other refusal is one message, so that
 * nobody learns which addresses have accounts.
 */
export function loginFailure(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t('errors.unknown');
  if (error.code === 'email_not_verified' || /\botp\b/i.test(error.message))
    return t('loginPage.verifyEmailFirst');
  if (error.code === 'email_password_required') return t('loginPage.emailPasswordRequired');
  return isOutage(error) ? errorText(error, t) : t('loginPage.invalidCredentials');
}

export type RegisterField = 'userName' | 'email' | 'password';

const FIELD_OF: { [Code in ErrorCode]?: RegisterField } = {
  invalid_user_name: 'userName',
  invalid_email: 'email',
  undeliverable_email: 'email',
  invalid_password: 'password',
};

/** What a failed registration says, and the field it is about, if it is about one. */
export function registerFailure(error: unknown, t: TFunction): { field: RegisterField | null; text: string } {
  const code = error instanceof ApiError ? error.code : 'unknown';
  const field = (FIELD_OF as { [Code in typeof code]?: RegisterField })[code] ?? null;
  if (field) return { field, text: errorText(error, t) };
  if (code === 'fields_required') return { field, text: t('registerPage.errorFillFields') };
  const known = error instanceof ApiError && (error.status === 0 || error.status === 429);
  return { field, text: known ? errorText(error, t) : t('registerPage.registrationFailed') };
}

/** What a sign-in with Google that came to nothing says: the server's refusal, or that it was not finished. */
export function googleFailure(error: unknown, t: TFunction): string {
  return error instanceof ApiError ? errorText(error, t) : t('loginPage.googleFailed');
}
