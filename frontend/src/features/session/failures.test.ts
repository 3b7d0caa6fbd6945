import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';

import { ApiError } from '@/api/error';
import type { ErrorCode } from '@/api/types';

import { loginFailure, registerFailure, unverifiedAccount } from './failures';

const t = ((key: string) => key) as unknown as TFunction;
const refused = (status: number, code: ErrorCode, message = '', details = {}) =>
  new ApiError(status, { code, message, details });

it('any refusal of a login is one message, but for an unverified address', () => {
  expect(loginFailure(refused(401, 'invalid_credentials'), t)).toBe('loginPage.invalidCredentials');
  expect(loginFailure(refused(404, 'document_not_found'), t)).toBe('loginPage.invalidCredentials');
  expect(loginFailure(refused(401, 'invalid_credentials', 'Verify the OTP first.'), t)).toBe(
    'loginPage.verifyEmailFirst',
  );
  expect(loginFailure(refused(400, 'email_password_required'), t)).toBe('loginPage.emailPasswordRequired');
});

it('limits and outages are not wrong passwords', () => {
  expect(loginFailure(refused(429, 'too_many_attempts'), t)).toBe('errors.too_many_attempts');
  expect(loginFailure(ApiError.network(), t)).toBe('errors.network');
  expect(loginFailure(refused(503, 'unavailable'), t)).toBe('errors.unavailable');
});

it('an unverified account is the one the answer names', () => {
  const unverified = refused(401, 'email_not_verified', 'OTP', { userId: 'u1' });
  expect(unverifiedAccount(unverified)).toBe('u1');
  expect(unverifiedAccount(refused(401, 'invalid_credentials', '', { userId: 'u1' }))).toBeNull();
  expect(unverifiedAccount(new Error('otp'))).toBeNull();
});

it('a failed registration stands beside its field, else it is one message', () => {
  expect(registerFailure(refused(400, 'invalid_email'), t)).toEqual({
    field: 'email',
    text: 'errors.invalid_email',
  });
  expect(registerFailure(refused(400, 'invalid_password'), t).field).toBe('password');
  expect(registerFailure(refused(429, 'mail_wait'), t)).toEqual({ field: null, text: 'errors.mail_wait' });
  expect(registerFailure(refused(500, 'internal'), t)).toEqual({
    field: null,
    text: 'registerPage.registrationFailed',
  });
});
