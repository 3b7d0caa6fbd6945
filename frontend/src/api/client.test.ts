import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { connectClient, get, patch, post } from './client';
import { ApiError } from './error';

interface Sent {
  url: string;
  method: string | undefined;
  headers: Headers;
  body: unknown;
}

let sent: Sent[];
let answers: Response[];
let token: string | null;
const renewed = vi.fn();
const ended = vi.fn();

const refusal = () =>
  new Response(JSON.stringify({ code: 'session_ended', message: 'Please log in.' }), { status: 401 });

beforeEach(() => {
  sent = [];
  answers = [];
  token = 't1';
  renewed.mockReset();
  ended.mockReset();
  connectClient({
    token: () => token,
    language: () => 'fr',
    onRenewedToken: renewed,
    onSessionEnded: ended,
  });
  vi.stubGlobal('fetch', (url: string, { method, headers, body }: RequestInit) => {
    sent.push({ url, method, headers: headers as Headers, body });
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('no network'));
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a call', () => {
  it('carries the token and the language of the interface', async () => {
    answers = [new Response('{"data":[]}')];
    await get('/documents', { page: 2, title: '' });
    expect(sent[0]?.url).toBe('/api/v1/documents?page=2');
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer t1');
    expect(sent[0]?.headers.get('Accept-Language')).toBe('fr');
  });

  it('hands a renewed token on, with the one it follows', async () => {
    answers = [new Response('{}', { headers: { 'X-Renewed-Token': 't2' } })];
    await get('/users/me');
    expect(renewed).toHaveBeenCalledWith('t2', 't1');
  });

  it('sends a form as a form', async () => {
    answers = [new Response('{}'), new Response('{}')];
    const form = new FormData();
    await patch('/users/me', form);
    await patch('/users/me', { userName: 'A' });
    expect(sent[0]?.body).toBe(form);
    expect(sent[0]?.headers.has('Content-Type')).toBe(false);
    expect(sent[1]?.headers.get('Content-Type')).toBe('application/json');
  });
});

describe('a refused token', () => {
  it('ends the session', async () => {
    answers = [refusal()];
    await expect(post('/documents/1/save', {})).rejects.toMatchObject({ status: 401, code: 'session_ended' });
    expect(ended).toHaveBeenCalledWith('t1');
    expect(sent).toHaveLength(1);
  });

  it('that another call has replaced meanwhile is asked with again, once', async () => {
    answers = [refusal(), new Response('{"ok":true}')];
    const asked = get('/documents');
    token = 't2';
    expect(await asked).toEqual({ ok: true });
    expect(sent.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer t1', 'Bearer t2']);
    expect(ended).not.toHaveBeenCalled();
  });

  it('is no matter of a call that sent none', async () => {
    answers = [refusal()];
    await expect(post('/auth/login', {}, { anonymous: true })).rejects.toBeInstanceOf(ApiError);
    expect(sent[0]?.headers.has('Authorization')).toBe(false);
    expect(ended).not.toHaveBeenCalled();
  });
});

it('says so when the server cannot be reached, or answers with what is not ours', async () => {
  await expect(get('/x')).rejects.toMatchObject({ status: 0, code: 'network' });
  answers = [new Response('<html>', { status: 502 }), new Response('<html>')];
  await expect(get('/x')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(get('/x')).rejects.toMatchObject({ code: 'unknown' });
});
