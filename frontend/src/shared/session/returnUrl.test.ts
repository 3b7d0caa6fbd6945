import { describe, expect, it } from 'vitest';

import { canOpen, sameOriginPath } from './returnUrl';

const origin = 'https://waraq.example';

describe('the target after a login', () => {
  it.each([
    ['/user-home/document-result', '/user-home/document-result'],
    ['/documents/create?a=1#b', '/documents/create?a=1#b'],
  ])('is a path of this site: %s', (url, expected) => expect(sameOriginPath(url, origin)).toBe(expected));

  it.each([
    [null],
    [''],
    ['https://evil.example/'],
    ['//evil.example/'],
    ['/\\evil.example'],
    ['/\t/evil.example'],
    ['/.//evil.example'],
    ['/%2e//evil.example'],
    ['javascript:alert(1)'],
    ['/login'],
  ])('is no other URL: %s', (url) => expect(sameOriginPath(url, origin)).toBeNull());

  it.each(['/documents', '/documents/create?draft=1', '/messages', '/users?page=2', '/account-setting'])(
    'is not a page of admins for other users: %s',
    (path) => {
      expect([canOpen(path, 'user'), canOpen(path, 'admin')]).toEqual([false, true]);
    },
  );

  it.each(['/', '/user-home/user-documents', '/documents-of-others'])('is open to everybody: %s', (path) =>
    expect(canOpen(path, 'user')).toBe(true),
  );
});
