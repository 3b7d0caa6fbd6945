/** Short names for the API's types, which `npm run api` generates from the OpenAPI document. */
import type { components, paths } from './schema';

type Schemas = components['schemas'];

export type Language = Schemas['Language'];
export type Country = Schemas['Country'];
export type Category = Schemas['Category'];
export type Template = Schemas['Document'];
export type User = Schemas['UserRecord'];
/** The settings of a field as the form shows them. */
export type FieldSettings = Schemas['ShownHelp'];
/** A field of a template with the type of its values. */
export type StructuredField = Schemas['StructuredField'];
/** The way a field's value is derived from other fields. */
export type Derivation = Schemas['Derivation'];
/** A percentage: a field with a number, or a number with a decimal point, such as `5.5`. */
export type Rate = Schemas['Rate'];
/** A derivation that the server suggests. The path of a column names its lists, such as `items[].total`. */
export type SuggestedDerivation = Schemas['SuggestedDerivation'];
export type Currency = Schemas['Currency'];
/** The reason why a derived field is empty. */
export type NoValueReason = Schemas['Unsaid'];
/** The overrides that an admin has set for a field. */
export type FieldOverrides = Schemas['FieldHelp'];
/** The name of a setting that an admin can override. */
export type SettingName = Schemas['HelpPart'];
/** The meaning of a value, and the party that it belongs to. */
export type Meaning = Schemas['Meaning'];
export type Party = Schemas['Party'];
/** An answer to be saved, and the list of saved answers. */
export type AnswerInput = Schemas['Answer'];
export type SavedAnswers = Schemas['AnswersResponse'];
export type ValueKind = Schemas['ValueKind'];
export type Diagnostic = Schemas['Finding'];
export type TemplateProgram = Schemas['TemplateProgram'];
export type DiagnosticCode = Schemas['FindingCode'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorDetails = Schemas['ErrorDetails'];
export type ErrorBody = Schemas['ErrorBody'];
export type FillRequest = Schemas['FillRequest'];
export type FileForm = Schemas['FileForm'];
export type FileResponse = Schemas['FileResponse'];
export type UpdateForm = Schemas['UpdateForm'];
export type TemplateVersion = Schemas['Version'];
export type TemplateAuditEvent = Schemas['HistoryEntry'];
export type CategoryAuditEvent = Schemas['CategoryHistoryEntry'];
export type UserAuditEvent = Schemas['UserHistoryEntry'];
export type MyTemplateForm = Schemas['MyTemplateForm'];
export type MyTemplateUpdateForm = Schemas['MyTemplateUpdateForm'];
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
/** The query parameters of GET /documents. */
export type TemplatesQuery = NonNullable<paths['/api/v1/documents']['get']['parameters']['query']>;
export type TemplateList = Schemas['ListResponse'];
export type SavedDocument = Schemas['SavedDocument'];
export type ListedDocument = Schemas['ListedDocument'];
export type SaveRequest = Schemas['SaveRequest'];
export type NewerTemplateVersion = Schemas['NewerTemplate'];
/** The query parameters of GET /documents/saved. */
export type SavedDocumentsQuery = NonNullable<paths['/api/v1/documents/saved']['get']['parameters']['query']>;
export type ListedUser = Schemas['ListedUser'];
/** The query parameters of GET /users. */
export type UsersQuery = NonNullable<paths['/api/v1/users']['get']['parameters']['query']>;
export type SupportMessage = Schemas['DeskMessage'];
