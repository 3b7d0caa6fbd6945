/** The wire's shapes by the names the product uses; generated from the API's OpenAPI document (`npm run api`). */
import type { components, paths } from './schema';

type Schemas = components['schemas'];

export type Language = Schemas['Language'];
export type Country = Schemas['Country'];
export type Category = Schemas['Category'];
export type Document = Schemas['Document'];
export type User = Schemas['UserRecord'];
/** What helps to fill a field in, as the form shows it. */
export type FieldHelp = Schemas['ShownHelp'];
/** What an admin says of a field. */
/** How a field's value is made of others'. */
export type Derivation = Schemas['Derivation'];
export type Currency = Schemas['Currency'];
/** Why a derived field says nothing. */
export type Unsaid = Schemas['Unsaid'];
export type SaidHelp = Schemas['FieldHelp'];
/** What a value is, and whose. */
export type Meaning = Schemas['Meaning'];
export type Party = Schemas['Party'];
/** What was filled in, and what is known of it. */
export type Answer = Schemas['Answer'];
export type KnownAnswers = Schemas['AnswersResponse'];
export type ValueKind = Schemas['ValueKind'];
export type Finding = Schemas['Finding'];
export type FindingCode = Schemas['FindingCode'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorDetails = Schemas['ErrorDetails'];
export type ErrorBody = Schemas['ErrorBody'];
export type FillRequest = Schemas['FillRequest'];
export type FileForm = Schemas['FileForm'];
export type FileResponse = Schemas['FileResponse'];
export type UpdateForm = Schemas['UpdateForm'];
export type TemplateVersion = Schemas['Version'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type CategoryHistoryEntry = Schemas['CategoryHistoryEntry'];
export type UserHistoryEntry = Schemas['UserHistoryEntry'];
export type CheckForm = Schemas['CheckForm'];
export type LoginRequest = Schemas['LoginRequest'];
export type SessionResponse = Schemas['Session'];
export type RegisterRequest = Schemas['RegisterRequest'];
export type VerifyOtpRequest = Schemas['VerifyOtpRequest'];
export type ForgotPasswordRequest = Schemas['ForgotPasswordRequest'];
export type ResetPasswordRequest = Schemas['ResetPasswordRequest'];
export type GoogleLoginRequest = Schemas['GoogleLoginRequest'];
export type UpdateMeForm = Schemas['UpdateMeForm'];
export type GoogleSettings = Schemas['GoogleSettings'];
export type Operator = Schemas['Operator'];
/** What GET /documents takes. */
export type DocumentsQuery = NonNullable<paths['/api/v1/documents']['get']['parameters']['query']>;
export type DocumentList = Schemas['ListResponse'];
export type SavedDocument = Schemas['SavedDocument'];
export type SaveRequest = Schemas['SaveRequest'];
export type NewerTemplate = Schemas['NewerTemplate'];
/** What GET /documents/saved takes. */
export type SavedQuery = NonNullable<paths['/api/v1/documents/saved']['get']['parameters']['query']>;
export type ListedUser = Schemas['ListedUser'];
/** What GET /users takes. */
export type UsersQuery = NonNullable<paths['/api/v1/users']['get']['parameters']['query']>;
export type DeskMessage = Schemas['DeskMessage'];
