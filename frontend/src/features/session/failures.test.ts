import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';

import { ApiError } from '@/api/error';
import type { ErrorCode } from '@/api/types';

import { loginFailureText, registrationFailure, unverifiedUserId } from './failures';

const t = ((key: string) => key) as unknown as TFunction;
const apiError = (status: number, code: ErrorCode, message = '', details = {}) =>
  new ApiError(status, { code, message, details });

it('all refusals of a login have the same text, except an unverified address', () => {
  expect(loginFailureText(apiError(401, 'invalid_credentials'), t)).toBe('loginPage.invalidCredentials');
  expect(loginFailureText(apiError(404, 'document_not_found'), t)).toBe('loginPage.invalidCredentials');
  expect(loginFailureText(apiError(401, 'invalid_credentials', 'Verify the OTP first.'), t)).toBe(
    'loginPage.verifyEmailFirst',
  );
  expect(loginFailureText(apiError(400, 'email_password_required'), t)).toBe(
    'loginPage.emailPasswordRequired',
  );
});

it('limits and outages have their own texts', () => {
  expect(loginFailureText(apiError(429, 'too_many_attempts'), t)).toBe('errors.too_many_attempts');
  expect(loginFailureText(ApiError.network(), t)).toBe('errors.network');
  expect(loginFailureText(apiError(503, 'unavailable'), t)).toBe('errors.unavailable');
});

it('an unverified account is the one that the response names', () => {
  const unverified = apiError(401, 'email_not_verified', 'OTP', { userId: 'u1' });
  expect(unverifiedUserId(unverified)).toBe('u1');
  expect(unverifiedUserId(apiError(401, 'invalid_credentials', '', { userId: 'u1' }))).toBeNull();
  expect(unverifiedUserId(new Error('otp'))).toBeNull();
});

it('a failed registration is reported at its field, or by a general text', () => {
  expect(registrationFailure(apiError(400, 'invalid_email'), t)).toEqual({
    field: 'email',
    text: 'errors.invalid_email',
  });
  expect(registrationFailure(apiError(400, 'invalid_password'), t).field).toBe('password');
  expect(registrationFailure(apiError(429, 'mail_wait'), t)).toEqual({
    field: null,
    text: 'errors.mail_wait',
  });
  expect(registrationFailure(apiError(500, 'internal'), t)).toEqual({
    field: null,
    text: 'registerPage.registrationFailed',
  });
});
