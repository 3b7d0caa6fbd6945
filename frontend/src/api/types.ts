/** The wire's shapes by the names the product uses; generated from the API's OpenAPI document (`npm run api`). */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Language = Schemas['Language'];
export type Country = Schemas['Country'];
export type Category = Schemas['Category'];
export type Document = Schemas['Document'];
export type User = Schemas['UserRecord'];
export type Finding = Schemas['Finding'];
export type ErrorDetails = Schemas['ErrorDetails'];
export type ErrorBody = Schemas['ErrorBody'];
export type ListResponse = Schemas['ListResponse'];
export type DocumentResponse = Schemas['DocumentResponse'];
export type FillRequest = Schemas['FillRequest'];
export type FillResponse = Schemas['FillResponse'];
export type FileResponse = Schemas['FileResponse'];
export type LoginRequest = Schemas['LoginRequest'];
export type SessionResponse = Schemas['Session'];
export type RegisterRequest = Schemas['RegisterRequest'];
export type RegisterResponse = Schemas['RegisterResponse'];
export type VerifyOtpRequest = Schemas['VerifyOtpRequest'];
export type ForgotPasswordRequest = Schemas['ForgotPasswordRequest'];
export type ResetPasswordRequest = Schemas['ResetPasswordRequest'];
export type ChangePasswordResponse = Schemas['ChangePasswordResponse'];
export type GoogleLoginRequest = Schemas['GoogleLoginRequest'];
export type MeResponse = Schemas['MeResponse'];
export type UpdateMeResponse = Schemas['UpdateMeResponse'];
export type GoogleSettings = Schemas['GoogleSettings'];
export type Operator = Schemas['Operator'];
export type SettingsResponse = Schemas['SettingsResponse'];
