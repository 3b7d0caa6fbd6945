import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Outside a browser, a URL without a host cannot be resolved. The client captures `Request` when it is created.
vi.hoisted(() => {
  const { Request } = globalThis;
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, 'https://waraq.example') : input, init);
      }
    },
  );
});

const { anonymousApi, responseBody, api, connectClient, endServerSession, multipartForm } =
  await import('./client');
const { ApiError } = await import('./error');

let sent: Request[];
let responses: Response[];
let token: string | null;
let user: string | null;
const onRenewedToken = vi.fn();
const onSessionEnded = vi.fn();

const sessionEndedResponse = () =>
  new Response(JSON.stringify({ code: 'session_ended', message: 'Please log in.' }), { status: 401 });
const fetchTemplates = (signal?: AbortSignal) =>
  responseBody(
    api.GET('/api/v1/documents', {
      params: { query: { page: 2, title: '' } },
      ...(signal ? { signal } : {}),
    }),
  );
const fillTemplate = () =>
  responseBody(
    api.POST('/api/v1/documents/{id}/fill-fields', {
      params: { path: { id: 'a/b' }, header: { 'Idempotency-Key': 'k1' } },
      body: { fieldsAndValues: [] },
    }),
  );

beforeEach(() => {
  sent = [];
  responses = [];
  token = 't1';
  user = 'a';
  onRenewedToken.mockReset();
  onSessionEnded.mockReset();
  connectClient({
    getToken: () => token,
    getUserId: () => user,
    getLanguage: () => 'fr',
    onRenewedToken,
    onSessionEnded,
  });
  vi.stubGlobal('fetch', (request: Request, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    sent.push(request);
    const response = responses.shift();
    return response ? Promise.resolve(response) : Promise.reject(new TypeError('no network'));
  });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a call', () => {
  it('sends the token and the interface language, and no empty parameters', async () => {
    responses = [new Response('{"data":[],"total":0}')];
    expect(await fetchTemplates()).toEqual({ data: [], total: 0 });
    expect(sent[0]?.url).toBe('https://waraq.example/api/v1/documents?page=2');
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer t1');
    expect(sent[0]?.headers.get('Accept-Language')).toBe('fr');
  });

  it('sends its idempotency key', async () => {
    responses = [new Response('{}')];
    await fillTemplate();
    expect(sent[0]?.url).toBe('https://waraq.example/api/v1/documents/a%2Fb/fill-fields');
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('k1');
  });

  it('reports a renewed token with the previous one', async () => {
    responses = [
      new Response('{}', { headers: { 'X-Renewal-Due': 'true' } }),
      Response.json({ token: 't2' }),
    ];
    await responseBody(api.GET('/api/v1/users/me'));
    await vi.waitFor(() => expect(onRenewedToken).toHaveBeenCalledWith('t2', 't1'));
    expect(sent[1]?.url).toBe('https://waraq.example/api/v1/auth/refresh');
    expect(sent[1]?.headers.get('Authorization')).toBe('Bearer t1');
  });

  it('ends a session on the server with its own token, and ignores failures', async () => {
    token = null;
    responses = [new Response(null, { status: 204 })];
    await endServerSession('t1');
    await endServerSession('t1');
    expect(sent[0]?.url).toBe('https://waraq.example/api/v1/auth/logout');
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer t1');
    expect(onSessionEnded).not.toHaveBeenCalled();
  });

  it('does not renew a token that has been replaced since the request was sent', async () => {
    responses = [
      new Response('{}', { headers: { 'X-Renewal-Due': 'true' } }),
      Response.json({ token: 't3' }),
    ];
    const body = responseBody(api.GET('/api/v1/users/me'));
    token = 't2';
    await body;
    expect(sent).toHaveLength(1);
    expect(onRenewedToken).not.toHaveBeenCalled();
  });

  it('keeps its token if the renewal fails, and tries again after the next response', async () => {
    const due = () => new Response('{}', { headers: { 'X-Renewal-Due': 'true' } });
    responses = [due(), new Response('no JSON', { status: 503 })];
    await responseBody(api.GET('/api/v1/users/me'));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(onRenewedToken).not.toHaveBeenCalled();
    await vi.waitFor(async () => {
      responses = [due(), Response.json({ token: 't2' })];
      await responseBody(api.GET('/api/v1/users/me'));
      expect(onRenewedToken).toHaveBeenCalledWith('t2', 't1');
    });
  });

  it('sends a form as multipart, anything else as JSON', async () => {
    responses = [new Response('{}'), new Response('{}')];
    const body = multipartForm<{ userName?: string; country?: string }>({
      userName: 'A',
      country: undefined,
    });
    await responseBody(api.PATCH('/api/v1/users/me', { body }));
    await responseBody(api.PATCH('/api/v1/users/me', { body: { userName: 'A' } }));
    expect([...((await sent[0]?.formData()) ?? [])]).toEqual([['userName', 'A']]);
    expect(sent[1]?.headers.get('Content-Type')).toBe('application/json');
    expect(await sent[1]?.json()).toEqual({ userName: 'A' });
  });

  it('that is aborted rejects with an AbortError', async () => {
    const off = new AbortController();
    off.abort();
    await expect(fetchTemplates(off.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('times out', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() =>
      AbortSignal.abort(new DOMException('late', 'TimeoutError')),
    );
    await expect(fetchTemplates()).rejects.toMatchObject({ status: 0, code: 'network' });
  });
});

describe('a refused token', () => {
  it('ends the session', async () => {
    responses = [sessionEndedResponse()];
    await expect(fillTemplate()).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    expect(onSessionEnded).toHaveBeenCalledWith('t1');
    expect(sent).toHaveLength(1);
  });

  it('that another call has replaced meanwhile is retried once with the new token and the same body', async () => {
    responses = [sessionEndedResponse(), new Response('{"pages":1}')];
    const call = fillTemplate();
    token = 't2';
    expect(await call).toEqual({ pages: 1 });
    expect(sent.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer t1', 'Bearer t2']);
    expect(await sent[1]?.json()).toEqual({ fieldsAndValues: [] });
    expect(onSessionEnded).not.toHaveBeenCalled();
  });

  it('is not replaced by the token of another user who has logged in meanwhile', async () => {
    responses = [sessionEndedResponse(), new Response('{"pages":1}')];
    const call = fillTemplate();
    token = 'n1';
    user = 'n';
    await expect(call).rejects.toMatchObject({ code: 'session_ended' });
    expect(sent).toHaveLength(1);
  });

  it('does not concern a call without a token', async () => {
    responses = [sessionEndedResponse()];
    const login = anonymousApi.POST('/api/v1/auth/login', { body: { email: 'a@b.example', password: 'x' } });
    await expect(responseBody(login)).rejects.toBeInstanceOf(ApiError);
    expect(sent[0]?.headers.has('Authorization')).toBe(false);
    expect(onSessionEnded).not.toHaveBeenCalled();
  });
});

it('reports an unreachable server, and responses that are not the API’s', async () => {
  await expect(fetchTemplates()).rejects.toMatchObject({ status: 0, code: 'network' });
  responses = [new Response('<html>', { status: 502 }), new Response('<html>')];
  await expect(fetchTemplates()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(fetchTemplates()).rejects.toMatchObject({ code: 'unknown' });
});
