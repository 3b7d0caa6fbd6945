import type { TFunction } from 'i18next';

import { post } from '@/api/client';
import { ApiError } from '@/api/error';
import type { LoginRequest, LoginResponse } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';

export function logIn(request: LoginRequest): Promise<LoginResponse> {
  return post<LoginResponse>('/auth/login', request, { anonymous: true });
}

/**
 * What a failed login says (specification §4): an unverified address is named, any other refusal is one message, so that
 * nobody learns which addresses have accounts. Limits and outages are not refusals and speak for themselves.
 */
export function loginFailure(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t('errors.unknown');
  if (error.code === 'email_not_verified' || /\botp\b/i.test(error.message))
    return t('loginPage.verifyEmailFirst');
  if (error.code === 'email_password_required') return t('loginPage.emailPasswordRequired');
  if (error.status === 0 || error.status === 429 || error.status >= 500) return errorText(error, t);
  return t('loginPage.invalidCredentials');
}
