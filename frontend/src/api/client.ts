import createClient from 'openapi-fetch';

import { ApiError } from './error';
import type { paths } from './schema';

/** What the client asks of the session; set once at start, so that this layer knows nothing of storage. */
interface ClientHooks {
  token: () => string | null;
  /** The language of the interface: mails and a new account are in it. */
  language: () => string;
  /** Past half a token's life an answer to it carries its successor. */
  onRenewedToken: (renewed: string, sent: string) => void;
  /** This token was sent and refused. */
  onSessionEnded: (sent: string) => void;
}

let hooks: ClientHooks = {
  token: () => null,
  language: () => 'en',
  onRenewedToken: () => undefined,
  onSessionEnded: () => undefined,
};

export function connectClient(connected: ClientHooks): void {
  hooks = connected;
}

/** API Gateway gives up after 30 s (AWS limit); whoever still has no answer then will get none. */
const PATIENCE_MS = 35_000;

type TokenSource = () => string | null;
const sessionToken: TokenSource = () => hooks.token();
const noToken: TokenSource = () => null;

function headersFor(token: string | null): [string, string][] {
  const language: [string, string] = ['Accept-Language', hooks.language()];
  return token ? [language, ['Authorization', `Bearer ${token}`]] : [language];
}

/** Takes over the renewed token of an answer, reports a refused one. */
function noticeToken(status: number, renewed: string | null, sent: string | null): void {
  if (!sent) return;
  if (renewed) hooks.onRenewedToken(renewed, sent);
  if (status === 401) hooks.onSessionEnded(sent);
}

/** Sends one request with the token there is. Throws an `ApiError` for every answer that is not 2xx. */
async function send(request: Request, tokenOf: TokenSource): Promise<Response> {
  const token = tokenOf();
  // A request is sent once; this one is for asking again.
  const spare = request.clone();
  for (const [name, value] of headersFor(token)) request.headers.set(name, value);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const answer = await fetch(request, { signal });
  // Refused, but meanwhile another call has brought a new token: refused calls have done nothing, so it is asked again.
  const newer = tokenOf();
  if (answer.status === 401 && token && newer && newer !== token) return send(spare, tokenOf);
  noticeToken(answer.status, answer.headers.get('X-Renewed-Token'), token);
  if (!answer.ok) throw ApiError.fromAnswer(answer.status, await answer.text());
  return answer;
}

/** Parameters that are undefined or empty are left out. */
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

/** Calls of whoever is logged in, or of a guest. */
export const api = clientWith(sessionToken);
/** Calls that send no token (specification §6): lookups, and those that are made before a login. */
export const anonymous = clientWith(noToken);

/** What a call throws, as an `ApiError`; only a call that was called off stays what it is. */
function failureOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  if (error instanceof SyntaxError)
    return new ApiError(200, { code: 'unknown', message: 'The answer is not JSON.' });
  return ApiError.network();
}

/** The body of a call's answer; a failure is thrown as an `ApiError`. */
export async function answerOf<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  try {
    // `send` has thrown what is not 2xx.
    return (await call).data as T;
  } catch (error) {
    throw failureOf(error);
  }
}

/** A multipart form, typed as the form that a route takes: files are `string` there, as OpenAPI has them. */
export function formOf<Form>(parts: { [Part in keyof Form]?: string | Blob | undefined }): Form {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts) as [string, string | Blob | undefined][]) {
    if (value !== undefined) form.set(name, value);
  }
  return form as unknown as Form;
}

/** The routes that a form is posted to. */
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
  /** Told the fraction that has been sent. */
  onProgress: (fraction: number) => void;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** POST of a form with files. */
export function upload<Path extends FormPath>(
  path: Path,
  form: FormOf<Path>,
  sending: Sending,
): Promise<FormAnswer<Path>> {
  return sendForm('POST', path, form, sending);
}

/** PATCH of a template, which may bring a new file. */
export function uploadChange(
  id: string,
  form: TemplateChange['requestBody']['content']['multipart/form-data'],
  sending: Sending,
): Promise<TemplateChange['responses'][200]['content']['application/json']> {
  return sendForm('PATCH', `/api/v1/documents/${encodeURIComponent(id)}`, form, sending);
}

/** PUT of a file to a signed address, which takes no token. */
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

/** Sends a form by XMLHttpRequest, because fetch cannot tell how much has been sent. */
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
    // However long the sending takes: once all is sent, an answer has to come.
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
