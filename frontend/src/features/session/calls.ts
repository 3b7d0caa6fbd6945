import { anonymous, answerOf, api } from '@/api/client';
import type {
  ForgotPasswordRequest,
  GoogleLoginRequest,
  LoginRequest,
  RegisterRequest,
  ResetPasswordRequest,
  VerifyOtpRequest,
} from '@/api/types';

// Most of these calls are made before a login: they send no token, and a refusal ends no session.

export const logIn = (body: LoginRequest) => answerOf(anonymous.POST('/api/v1/auth/login', { body }));

export const logInWithGoogle = (body: GoogleLoginRequest) =>
  answerOf(anonymous.POST('/api/v1/auth/google-login', { body }));

export const register = (body: RegisterRequest) =>
  answerOf(anonymous.POST('/api/v1/auth/register', { body }));

export const verifyRegistration = (body: VerifyOtpRequest) =>
  answerOf(anonymous.POST('/api/v1/auth/verify-otp', { body }));

export const resendRegistrationCode = (userId: string) =>
  answerOf(anonymous.POST('/api/v1/auth/resend-otp', { body: { userId } }));

export const verifyNewAddress = (newEmail: string, otp: string) =>
  answerOf(api.POST('/api/v1/auth/verify-change-email-otp', { body: { newEmail, otp } }));

/** Mails another code by the same call as for the first one. */
export const resendAddressCode = (newEmail: string) =>
  answerOf(api.POST('/api/v1/auth/change-email', { body: { newEmail } }));

export const askForReset = (body: ForgotPasswordRequest) =>
  answerOf(anonymous.POST('/api/v1/auth/forgot-password', { body }));

export const resetPassword = (body: ResetPasswordRequest) =>
  answerOf(anonymous.POST('/api/v1/auth/reset-password', { body }));

export const restoreEmail = (token: string) =>
  answerOf(anonymous.POST('/api/v1/auth/restore-email', { body: { token } }));
