import { post } from '@/api/client';
import type {
  ForgotPasswordRequest,
  GoogleLoginRequest,
  LoginRequest,
  RegisterRequest,
  RegisterResponse,
  ResetPasswordRequest,
  SessionResponse,
  VerifyOtpRequest,
} from '@/api/types';

/** Nobody is logged in yet: no token goes along, and a refusal ends no session. */
const anonymous = { anonymous: true };

export function logIn(request: LoginRequest): Promise<SessionResponse> {
  return post('/auth/login', request, anonymous);
}

export function logInWithGoogle(request: GoogleLoginRequest): Promise<SessionResponse> {
  return post('/auth/google-login', request, anonymous);
}

export function register(request: RegisterRequest): Promise<RegisterResponse> {
  return post('/auth/register', request, anonymous);
}

export function verifyRegistration(request: VerifyOtpRequest): Promise<SessionResponse> {
  return post('/auth/verify-otp', request, anonymous);
}

export function resendRegistrationCode(userId: string): Promise<unknown> {
  return post('/auth/resend-otp', { userId }, anonymous);
}

export function verifyNewAddress(newEmail: string, otp: string): Promise<SessionResponse> {
  return post('/auth/verify-change-email-otp', { newEmail, otp });
}

/** The same call as for the first code. */
export function resendAddressCode(newEmail: string): Promise<unknown> {
  return post('/auth/change-email', { newEmail });
}

export function askForReset(request: ForgotPasswordRequest): Promise<unknown> {
  return post('/auth/forgot-password', request, anonymous);
}

export function resetPassword(request: ResetPasswordRequest): Promise<unknown> {
  return post('/auth/reset-password', request, anonymous);
}
