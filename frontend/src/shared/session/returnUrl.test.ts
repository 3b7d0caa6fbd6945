import { describe, expect, it } from 'vitest';

import { ownPath } from './returnUrl';

const origin = 'https://waraq.example';

describe('where a login may lead', () => {
  it.each([
    ['/user-home/document-result', '/user-home/document-result'],
    ['/documents/create?a=1#b', '/documents/create?a=1#b'],
  ])('our own path %s', (url, expected) => expect(ownPath(url, origin)).toBe(expected));

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
  ])('nowhere else: %s', (url) => expect(ownPath(url, origin)).toBeNull());
});
