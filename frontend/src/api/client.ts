import createClient from 'openapi-fetch';

import { ApiError } from './error';
import type { paths } from './schema';

/** Hooks into the session. They are set once at start, so that this layer does not depend on storage. */
interface ClientHooks {
  getToken: () => string | null;
  /** The id of the user that the token belongs to. */
  getUserId: () => string | null;
  /** The language of the interface, which mails and new accounts use. */
  getLanguage: () => string;
  /** Called with the new token and the one it replaces, after half of a token's life. */
  onRenewedToken: (renewed: string, sent: string) => void;
  /** Called with a token that the server has refused. */
  onSessionEnded: (sent: string) => void;
}

let hooks: ClientHooks = {
  getToken: () => null,
  getUserId: () => null,
  getLanguage: () => 'en',
  onRenewedToken: () => undefined,
  onSessionEnded: () => undefined,
};

export function connectClient(clientHooks: ClientHooks): void {
  hooks = clientHooks;
}

/** API Gateway times out after 30 s (AWS limit), so no response can arrive later. */
const RESPONSE_TIMEOUT_MS = 35_000;

type TokenSource = () => string | null;
const getSessionToken: TokenSource = () => hooks.getToken();
const getNoToken: TokenSource = () => null;

function headersFor(token: string | null): [string, string][] {
  const language: [string, string] = ['Accept-Language', hooks.getLanguage()];
  return token ? [language, ['Authorization', `Bearer ${token}`]] : [language];
}

let isRefreshing = false;

/**
 * Exchanges a token that is due for renewal, unless it has been replaced already. After a failure the next response leads to
 * another attempt.
 */
async function refreshToken(sent: string): Promise<void> {
  if (isRefreshing || hooks.getToken() !== sent) return;
  isRefreshing = true;
  try {
    const headers = { Authorization: `Bearer ${sent}` };
    const { token } = await responseBody(anonymousApi.POST('/api/v1/auth/refresh', { headers }));
    hooks.onRenewedToken(token, sent);
  } catch {
    // Without a network, the old token stays valid until it expires.
  } finally {
    isRefreshing = false;
  }
}

/**
 * Ends a session on the server, so that copies of its token are refused too. Without a network, the token stays valid until it
 * expires. The request continues if the page is left.
 */
export async function endServerSession(token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  await responseBody(anonymousApi.POST('/api/v1/auth/logout', { headers, keepalive: true })).catch(
    () => undefined,
  );
}

/** Renews the sent token if a response says that this is due, and reports it if the server has refused it. */
function handleTokenStatus(status: number, isRenewalDue: boolean, sent: string | null): void {
  if (!sent) return;
  if (isRenewalDue) void refreshToken(sent);
  if (status === 401) hooks.onSessionEnded(sent);
}

/** Sends a request with the current token. Throws an `ApiError` for a status other than 2xx. */
async function send(request: Request, getToken: TokenSource): Promise<Response> {
  const token = getToken();
  const user = hooks.getUserId();
  // A request can be sent only once; the copy is for a second attempt.
  const retryRequest = request.clone();
  for (const [name, value] of headersFor(token)) request.headers.set(name, value);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
  const response = await fetch(request, { signal });
  // The token was refused, but another call has brought a new one. Refused calls have no effect, so the request is
  // repeated, unless another user is logged in by now.
  const newerToken = getToken();
  if (response.status === 401 && token && newerToken && newerToken !== token && hooks.getUserId() === user)
    return send(retryRequest, getToken);
  handleTokenStatus(response.status, response.headers.has('X-Renewal-Due'), token);
  if (!response.ok) throw ApiError.fromResponse(response.status, await response.text());
  return response;
}

/** Builds a query without parameters that are undefined or empty. */
function querySerializer(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.toString();
}

function createApiClient(getToken: TokenSource) {
  return createClient<paths>({ fetch: (request) => send(request, getToken), querySerializer });
}

/** Calls with the session's token, or none for a guest. */
export const api = createApiClient(getSessionToken);
/** Calls that never send a token (specification §6): lookups, and calls before a login. */
export const anonymousApi = createApiClient(getNoToken);

/** Turns the error of a call into an `ApiError`. The error of an aborted call is returned unchanged. */
function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  if (error instanceof SyntaxError)
    return new ApiError(200, { code: 'unknown', message: 'The answer is not JSON.' });
  return ApiError.network();
}

/** Returns the body of a response. A failure is thrown as an `ApiError`. */
export async function responseBody<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  try {
    // `send` has already thrown for a status other than 2xx.
    return (await call).data as T;
  } catch (error) {
    throw toApiError(error);
  }
}

/** Builds a multipart form with the type that a route expects: OpenAPI types files as `string`. */
export function multipartForm<Form>(parts: { [Part in keyof Form]?: string | Blob | undefined }): Form {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts) as [string, string | Blob | undefined][]) {
    if (value !== undefined) form.set(name, value);
  }
  return form as unknown as Form;
}

/** The routes that accept a multipart form by POST. */
type FormPath = {
  [Path in keyof paths]: paths[Path] extends {
    post: { requestBody: { content: { 'multipart/form-data': unknown } } };
  }
    ? Path
    : never;
}[keyof paths];
type FormOf<Path extends FormPath> = paths[Path]['post']['requestBody']['content']['multipart/form-data'];
type FormResponse<Path extends FormPath> = paths[Path]['post']['responses'] extends {
  201: { content: { 'application/json': infer Body } };
}
  ? Body
  : paths[Path]['post']['responses'] extends { 200: { content: { 'application/json': infer Body } } }
    ? Body
    : never;

type TemplateChange = paths['/api/v1/documents/{id}']['patch'];

interface UploadOptions {
  /** Called with the fraction of the bytes that has been sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Posts a form with files. */
export function postForm<Path extends FormPath>(
  path: Path,
  form: FormOf<Path>,
  options: UploadOptions,
): Promise<FormResponse<Path>> {
  return sendForm('POST', path, form, options);
}

/** Patches a template, optionally with a new file. */
export function patchTemplate(
  id: string,
  form: TemplateChange['requestBody']['content']['multipart/form-data'],
  options: UploadOptions,
): Promise<TemplateChange['responses'][200]['content']['application/json']> {
  return sendForm('PATCH', `/api/v1/documents/${encodeURIComponent(id)}`, form, options);
}

type MyTemplateChange = paths['/api/v1/my-templates/{id}']['put'];

/** Changes a private template, optionally with a new file. */
export function putMyTemplate(
  id: string,
  form: MyTemplateChange['requestBody']['content']['multipart/form-data'],
  options: UploadOptions,
): Promise<MyTemplateChange['responses'][200]['content']['application/json']> {
  return sendForm('PUT', `/api/v1/my-templates/${encodeURIComponent(id)}`, form, options);
}

/** Puts a file to a signed URL, which needs no token. */
export function putFile(
  url: string,
  file: Blob,
  { onProgress, signal }: Omit<UploadOptions, 'idempotencyKey'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(ApiError.network());
    };
    request.onerror = () => reject(ApiError.network());
    request.onabort = () => reject(new DOMException('The upload was called off.', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** Sends a form by XMLHttpRequest, because fetch does not report the progress of an upload. */
function sendForm<Body>(
  method: string,
  url: string,
  form: unknown,
  { onProgress, idempotencyKey, signal }: UploadOptions,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    const token = getSessionToken();
    for (const [name, value] of headersFor(token)) request.setRequestHeader(name, value);
    if (idempotencyKey) request.setRequestHeader('Idempotency-Key', idempotencyKey);
    let responseTimer: ReturnType<typeof setTimeout> | undefined;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    // Sending may take any time; the time limit for the response starts after it.
    request.upload.onload = () => {
      responseTimer = setTimeout(() => {
        request.abort();
        reject(ApiError.network());
      }, RESPONSE_TIMEOUT_MS);
    };
    request.onloadend = () => clearTimeout(responseTimer);
    request.onload = () => {
      const { status, responseText } = request;
      handleTokenStatus(status, request.getResponseHeader('X-Renewal-Due') !== null, token);
      try {
        if (status < 200 || status > 299) throw ApiError.fromResponse(status, responseText);
        resolve(JSON.parse(responseText) as Body);
      } catch (error) {
        reject(toApiError(error) as Error);
      }
    };
    request.onerror = () => reject(ApiError.network());
    request.onabort = () => reject(new DOMException('The upload was called off.', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(form as FormData);
  });
}
