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

const { anonymous, answerOf, api, connectClient, formOf } = await import('./client');
const { ApiError } = await import('./error');

let sent: Request[];
let answers: Response[];
let token: string | null;
let user: string | null;
const renewed = vi.fn();
const ended = vi.fn();

const refusal = () =>
  new Response(JSON.stringify({ code: 'session_ended', message: 'Please log in.' }), { status: 401 });
const list = (signal?: AbortSignal) =>
  answerOf(
    api.GET('/api/v1/documents', {
      params: { query: { page: 2, title: '' } },
      ...(signal ? { signal } : {}),
    }),
  );
const fill = () =>
  answerOf(
    api.POST('/api/v1/documents/{id}/fill-fields', {
      params: { path: { id: 'a/b' }, header: { 'Idempotency-Key': 'k1' } },
      body: { fieldsAndValues: [] },
    }),
  );

beforeEach(() => {
  sent = [];
  answers = [];
  token = 't1';
  user = 'a';
  renewed.mockReset();
  ended.mockReset();
  connectClient({
    token: () => token,
    user: () => user,
    language: () => 'fr',
    onRenewedToken: renewed,
    onSessionEnded: ended,
  });
  vi.stubGlobal('fetch', (request: Request, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    sent.push(request);
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('no network'));
  });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a call', () => {
  it('carries the token and the language of the interface, and no empty parameters', async () => {
    answers = [new Response('{"data":[],"total":0}')];
    expect(await list()).toEqual({ data: [], total: 0 });
    expect(sent[0]?.url).toBe('https://waraq.example/api/v1/documents?page=2');
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer t1');
    expect(sent[0]?.headers.get('Accept-Language')).toBe('fr');
  });

  it('names itself, so that asking twice does the thing once', async () => {
    answers = [new Response('{}')];
    await fill();
    expect(sent[0]?.url).toBe('https://waraq.example/api/v1/documents/a%2Fb/fill-fields');
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('k1');
  });

  it('hands a renewed token on, with the one it follows', async () => {
    answers = [new Response('{}', { headers: { 'X-Renewed-Token': 't2' } })];
    await answerOf(api.GET('/api/v1/users/me'));
    expect(renewed).toHaveBeenCalledWith('t2', 't1');
  });

  it('sends a form as a form, anything else as JSON', async () => {
    answers = [new Response('{}'), new Response('{}')];
    const body = formOf<{ userName?: string; country?: string }>({ userName: 'A', country: undefined });
    await answerOf(api.PATCH('/api/v1/users/me', { body }));
    await answerOf(api.PATCH('/api/v1/users/me', { body: { userName: 'A' } }));
    expect([...((await sent[0]?.formData()) ?? [])]).toEqual([['userName', 'A']]);
    expect(sent[1]?.headers.get('Content-Type')).toBe('application/json');
    expect(await sent[1]?.json()).toEqual({ userName: 'A' });
  });

  it('that is called off says that, and nothing of the network', async () => {
    const off = new AbortController();
    off.abort();
    await expect(list(off.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not wait for ever', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() =>
      AbortSignal.abort(new DOMException('late', 'TimeoutError')),
    );
    await expect(list()).rejects.toMatchObject({ status: 0, code: 'network' });
  });
});

describe('a refused token', () => {
  it('ends the session', async () => {
    answers = [refusal()];
    await expect(fill()).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    expect(ended).toHaveBeenCalledWith('t1');
    expect(sent).toHaveLength(1);
  });

  it('that another call has replaced meanwhile is asked with again, once, with the same body', async () => {
    answers = [refusal(), new Response('{"pages":1}')];
    const asked = fill();
    token = 't2';
    expect(await asked).toEqual({ pages: 1 });
    expect(sent.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer t1', 'Bearer t2']);
    expect(await sent[1]?.json()).toEqual({ fieldsAndValues: [] });
    expect(ended).not.toHaveBeenCalled();
  });

  it('is not replaced by the token of another user who has logged in meanwhile', async () => {
    answers = [refusal(), new Response('{"pages":1}')];
    const asked = fill();
    token = 'n1';
    user = 'n';
    await expect(asked).rejects.toMatchObject({ code: 'session_ended' });
    expect(sent).toHaveLength(1);
  });

  it('is no matter of a call that sent none', async () => {
    answers = [refusal()];
    const login = anonymous.POST('/api/v1/auth/login', { body: { email: 'a@b.example', password: 'x' } });
    await expect(answerOf(login)).rejects.toBeInstanceOf(ApiError);
    expect(sent[0]?.headers.has('Authorization')).toBe(false);
    expect(ended).not.toHaveBeenCalled();
  });
});

it('says so when the server cannot be reached, or answers with what is not ours', async () => {
  await expect(list()).rejects.toMatchObject({ status: 0, code: 'network' });
  answers = [new Response('<html>', { status: 502 }), new Response('<html>')];
  await expect(list()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(list()).rejects.toMatchObject({ code: 'unknown' });
});
