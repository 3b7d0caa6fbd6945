import createClient from 'openapi-fetch';

import { ApiError } from './error';
import type { paths } from './schema';

/** Hooks into the session. They are set once at start, so that this layer does not depend on storage. */
interface ClientHooks {
  token: () => string | null;
  /** The id of the user whose token it is. */
  user: () => string | null;
  /** The language of the interface, which mails and new accounts use. */
  language: () => string;
  /** Called with the new token after half of a token's life, when a response carries one. */
  onRenewedToken: (renewed: string, sent: string) => void;
  /** Called with a token that the server has refused. */
  onSessionEnded: (sent: string) => void;
}

let hooks: ClientHooks = {
  token: () => null,
  user: () => null,
  language: () => 'en',
  onRenewedToken: () => undefined,
  onSessionEnded: () => undefined,
};

export function connectClient(connected: ClientHooks): void {
  hooks = connected;
}

/** API Gateway times out after 30 s (AWS limit), so no response can arrive later. */
const PATIENCE_MS = 35_000;

type TokenSource = () => string | null;
const sessionToken: TokenSource = () => hooks.token();
const noToken: TokenSource = () => null;

function headersFor(token: string | null): [string, string][] {
  const language: [string, string] = ['Accept-Language', hooks.language()];
  return token ? [language, ['Authorization', `Bearer ${token}`]] : [language];
}

/** Takes over the renewed token of a response, and reports a refused token. */
function noticeToken(status: number, renewed: string | null, sent: string | null): void {
  if (!sent) return;
  if (renewed) hooks.onRenewedToken(renewed, sent);
  if (status === 401) hooks.onSessionEnded(sent);
}

/** Sends a request with the current token. Throws an `ApiError` for a status other than 2xx. */
async function send(request: Request, tokenOf: TokenSource): Promise<Response> {
  const token = tokenOf();
  const user = hooks.user();
  // A request can be sent only once; the copy is for a second attempt.
  const spare = request.clone();
  for (const [name, value] of headersFor(token)) request.headers.set(name, value);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const answer = await fetch(request, { signal });
  // The token was refused, but another call has brought a new one. Refused calls have no effect, so the request is
  // repeated, unless another user is logged in by now.
  const newer = tokenOf();
  if (answer.status === 401 && token && newer && newer !== token && hooks.user() === user)
    return send(spare, tokenOf);
  noticeToken(answer.status, answer.headers.get('X-Renewed-Token'), token);
  if (!answer.ok) throw ApiError.fromAnswer(answer.status, await answer.text());
  return answer;
}

/** Builds a query without parameters that are undefined or empty. */
function querySerializer(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.toString();
}

function clientWith(tokenOf: TokenSource) {
  return createClient<paths>({ fetch: (request) => send(request, tokenOf), querySerializer });
}

/** Calls with the session's token, or none for a guest. */
export const api = clientWith(sessionToken);
/** Calls that never send a token (specification §6): lookups, and calls before a login. */
export const anonymous = clientWith(noToken);

/** Turns the error of a call into an `ApiError`. Only the error of an aborted call is kept. */
function failureOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  if (error instanceof SyntaxError)
    return new ApiError(200, { code: 'unknown', message: 'The answer is not JSON.' });
  return ApiError.network();
}

/** Returns the body of a response. A failure is thrown as an `ApiError`. */
export async function answerOf<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  try {
    // `send` has already thrown for a status other than 2xx.
    return (await call).data as T;
  } catch (error) {
    throw failureOf(error);
  }
}

/** Builds a multipart form with the type that a route expects: OpenAPI types files as `string`. */
export function formOf<Form>(parts: { [Part in keyof Form]?: string | Blob | undefined }): Form {
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
type FormAnswer<Path extends FormPath> = paths[Path]['post']['responses'] extends {
  201: { content: { 'application/json': infer Answer } };
}
  ? Answer
  : paths[Path]['post']['responses'] extends { 200: { content: { 'application/json': infer Answer } } }
    ? Answer
    : never;

type TemplateChange = paths['/api/v1/documents/{id}']['patch'];

interface Sending {
  /** Called with the fraction that has been sent. */
  onProgress: (fraction: number) => void;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Posts a form with files. */
export function upload<Path extends FormPath>(
  path: Path,
  form: FormOf<Path>,
  sending: Sending,
): Promise<FormAnswer<Path>> {
  return sendForm('POST', path, form, sending);
}

/** Patches a template, optionally with a new file. */
export function uploadChange(
  id: string,
  form: TemplateChange['requestBody']['content']['multipart/form-data'],
  sending: Sending,
): Promise<TemplateChange['responses'][200]['content']['application/json']> {
  return sendForm('PATCH', `/api/v1/documents/${encodeURIComponent(id)}`, form, sending);
}

/** Puts a file to a signed URL, which needs no token. */
export function put(
  address: string,
  file: Blob,
  { onProgress, signal }: Omit<Sending, 'idempotencyKey'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', address);
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
function sendForm<Answer>(
  method: string,
  address: string,
  form: unknown,
  { onProgress, idempotencyKey, signal }: Sending,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    const token = sessionToken();
    for (const [name, value] of headersFor(token)) request.setRequestHeader(name, value);
    if (idempotencyKey) request.setRequestHeader('Idempotency-Key', idempotencyKey);
    let patience: ReturnType<typeof setTimeout> | undefined;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    // Sending may take any time; the time limit for the response starts after it.
    request.upload.onload = () => {
      patience = setTimeout(() => {
        request.abort();
        reject(ApiError.network());
      }, PATIENCE_MS);
    };
    request.onloadend = () => clearTimeout(patience);
    request.onload = () => {
      const { status, responseText } = request;
      noticeToken(status, request.getResponseHeader('X-Renewed-Token'), token);
      try {
        if (status < 200 || status > 299) throw ApiError.fromAnswer(status, responseText);
        resolve(JSON.parse(responseText) as Answer);
      } catch (error) {
        reject(failureOf(error) as Error);
      }
    };
    request.onerror = () => reject(ApiError.network());
    request.onabort = () => reject(new DOMException('The upload was called off.', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(form as FormData);
  });
}
