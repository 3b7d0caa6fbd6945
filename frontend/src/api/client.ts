import { ApiError } from './error';

const BASE = '/api/v1';

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

export interface CallOptions {
  /** Lookups send no token (specification §6). */
  anonymous?: boolean;
  /** The same key gives the same answer: a repeated call does the thing once. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
}

function tokenFor(options: CallOptions): string | null {
  return options.anonymous ? null : hooks.token();
}

function headersFor(token: string | null, options: CallOptions): Headers {
  const headers = new Headers({ 'Accept-Language': hooks.language() });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);
  return headers;
}

/** Reads one answer: the renewed token is taken over, a refused one reported, a failure thrown as `ApiError`. */
function settle<T>(status: number, text: string, renewed: string | null, sent: string | null): T {
  if (renewed && sent) hooks.onRenewedToken(renewed, sent);
  if (status < 200 || status > 299) {
    const error = ApiError.fromAnswer(status, text);
    if (status === 401 && sent) hooks.onSessionEnded(sent);
    throw error;
  }
  try {
    return (text ? JSON.parse(text) : undefined) as T;
  } catch {
    throw new ApiError(status, { code: 'unknown', message: 'The answer is not JSON.' });
  }
}

async function send<T>(path: string, init: RequestInit, options: CallOptions): Promise<T> {
  const token = tokenFor(options);
  const headers = headersFor(token, options);
  if (typeof init.body === 'string') headers.set('Content-Type', 'application/json');
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(BASE + path, { ...init, headers, signal: options.signal ?? null });
    text = await answer.text();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw ApiError.network();
  }
  // Refused, but meanwhile another call has brought a new token: refused calls have done nothing, so it is asked again.
  const newer = tokenFor(options);
  if (answer.status === 401 && token && newer && newer !== token) return send<T>(path, init, options);
  return settle<T>(answer.status, text, answer.headers.get('X-Renewed-Token'), token);
}

export type Query = Record<string, string | number | boolean | undefined>;

/** GET; parameters that are undefined or empty are left out. */
export function get<T>(path: string, query: Query = {}, options: CallOptions = {}): Promise<T> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return send<T>(search.size > 0 ? `${path}?${search}` : path, { method: 'GET' }, options);
}

export function post<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  return send<T>(path, { method: 'POST', body: JSON.stringify(body) }, options);
}

/** PATCH; a form where a file goes with it. */
export function patch<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  return send<T>(
    path,
    { method: 'PATCH', body: body instanceof FormData ? body : JSON.stringify(body) },
    options,
  );
}

/** POST of a form with files; XMLHttpRequest because fetch cannot tell how much has been sent. */
export function upload<T>(
  path: string,
  form: FormData,
  onProgress: (fraction: number) => void,
  options: CallOptions = {},
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', BASE + path);
    const token = tokenFor(options);
    const headers = headersFor(token, options);
    headers.forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      try {
        const renewed = request.getResponseHeader('X-Renewed-Token');
        resolve(settle<T>(request.status, request.responseText, renewed, token));
      } catch (error) {
        reject(error instanceof Error ? error : ApiError.network());
      }
    };
    request.onerror = () => reject(ApiError.network());
    options.signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
