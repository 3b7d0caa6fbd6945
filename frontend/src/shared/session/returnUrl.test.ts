import { describe, expect, it } from 'vitest';

import { sameOriginPath } from './returnUrl';

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
});
