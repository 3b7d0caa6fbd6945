import { anonymousApi, responseBody, api } from '@/api/client';
import type {
  ForgotPasswordRequest,
  GoogleLoginRequest,
  LoginRequest,
  RegisterRequest,
  ResetPasswordRequest,
  VerifyOtpRequest,
} from '@/api/types';

// Most of these calls are made before a login: they send no token, and a refusal ends no session.

export const logIn = (body: LoginRequest) => responseBody(anonymousApi.POST('/api/v1/auth/login', { body }));

export const logInWithGoogle = (body: GoogleLoginRequest) =>
  responseBody(anonymousApi.POST('/api/v1/auth/google-login', { body }));

export const register = (body: RegisterRequest) =>
  responseBody(anonymousApi.POST('/api/v1/auth/register', { body }));

export const verifyRegistration = (body: VerifyOtpRequest) =>
  responseBody(anonymousApi.POST('/api/v1/auth/verify-otp', { body }));

export const resendRegistrationCode = (userId: string) =>
  responseBody(anonymousApi.POST('/api/v1/auth/resend-otp', { body: { userId } }));

export const verifyNewAddress = (newEmail: string, otp: string) =>
  responseBody(api.POST('/api/v1/auth/verify-change-email-otp', { body: { newEmail, otp } }));

/** Mails another code. The first code is mailed by the same call. */
export const resendAddressCode = (newEmail: string) =>
  responseBody(api.POST('/api/v1/auth/change-email', { body: { newEmail } }));

export const requestPasswordReset = (body: ForgotPasswordRequest) =>
  responseBody(anonymousApi.POST('/api/v1/auth/forgot-password', { body }));

export const resetPassword = (body: ResetPasswordRequest) =>
  responseBody(anonymousApi.POST('/api/v1/auth/reset-password', { body }));

export const revertEmailChange = (token: string) =>
  responseBody(anonymousApi.POST('/api/v1/auth/restore-email', { body: { token } }));
