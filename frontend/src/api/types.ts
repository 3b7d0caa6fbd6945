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
export type LoginResponse = Schemas['Session'];
