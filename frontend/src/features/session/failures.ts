import type { TFunction } from 'i18next';

import { ApiError } from '@/api/error';
import type { ErrorCode } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';

/** Returns true for limits and outages, which have their own texts. */
function isOutage(error: ApiError): boolean {
  return error.status === 0 || error.status === 429 || error.status >= 500;
}

/** Returns true if an error concerns the input, and is no limit or outage. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && !isOutage(error);
}

/**
 * Returns the id of the account that must be verified before the login, or null (specification §4: the message
 * mentions OTP).
 */
export function unverifiedUserId(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 401) return null;
  const unverified = error.code === 'email_not_verified' || /\botp\b/i.test(error.message);
  return unverified ? (error.details.userId ?? null) : null;
}

/**
 * Returns the text for a failed login (specification §4). An unverified address is named; all other refusals have
 * the same text, to hide which addresses have accounts.
 */
export function loginFailureText(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t('errors.unknown');
  if (error.code === 'email_not_verified' || /\botp\b/i.test(error.message))
    return t('loginPage.verifyEmailFirst');
  if (error.code === 'email_password_required') return t('loginPage.emailPasswordRequired');
  return isOutage(error) ? errorText(error, t) : t('loginPage.invalidCredentials');
}

export type RegisterField = 'userName' | 'email' | 'password';

const FIELD_BY_CODE: { [Code in ErrorCode]?: RegisterField } = {
  invalid_user_name: 'userName',
  invalid_email: 'email',
  undeliverable_email: 'email',
  invalid_password: 'password',
};

/** Returns the text for a failed registration, and the field that it concerns, if any. */
export function registrationFailure(
  error: unknown,
  t: TFunction,
): { field: RegisterField | null; text: string } {
  const code = error instanceof ApiError ? error.code : 'unknown';
  const field = (FIELD_BY_CODE as { [Code in typeof code]?: RegisterField })[code] ?? null;
  if (field) return { field, text: errorText(error, t) };
  if (code === 'fields_required') return { field, text: t('registerPage.errorFillFields') };
  const known = error instanceof ApiError && (error.status === 0 || error.status === 429);
  return { field, text: known ? errorText(error, t) : t('registerPage.registrationFailed') };
}

/** Returns the text for a failed sign-in with Google: the server's refusal, or that it was not finished. */
export function googleFailureText(error: unknown, t: TFunction): string {
  return error instanceof ApiError ? errorText(error, t) : t('loginPage.googleFailed');
}
