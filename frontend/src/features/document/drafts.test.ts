import { describe, expect, it } from 'vitest';

import { fieldsAndValues, isBlank } from './drafts';
import { areTooLong, isTooLong } from './limits';

describe('what is sent', () => {
  it('has every field once, in the template’s order, empty where nothing was entered', () => {
    const sent = fieldsAndValues(['b', 'a', 'toString'], { a: '1', gone: 'x' });
    expect(JSON.stringify(sent)).toBe('[{"b":""},{"a":"1"},{"toString":""}]');
  });
});

describe('a value that shows nothing', () => {
  it.each(['', ' ', '\t\n', '\u00a0\u3000', '\u200b\u200f\u2060\ufeff'])(
    '%j is empty, and sent as such',
    (value) => {
      expect(isBlank(value)).toBe(true);
      expect(fieldsAndValues(['a'], { a: value })).toEqual([{ a: '' }]);
    },
  );

  it.each([' x ', '0', '-', '\u200fم'])('%j is sent as it was typed', (value) => {
    expect(isBlank(value)).toBe(false);
    expect(fieldsAndValues(['a'], { a: value })).toEqual([{ a: value }]);
  });
});

describe('limits of values', () => {
  it('counts characters, not code units', () => {
    expect(isTooLong('😀'.repeat(10_000))).toBe(false);
    expect(isTooLong('a'.repeat(10_001))).toBe(true);
  });

  it('counts all values together in bytes', () => {
    expect(areTooLong(Array.from({ length: 20 }, () => 'é'.repeat(5_000)))).toBe(false);
    expect(areTooLong(Array.from({ length: 21 }, () => 'é'.repeat(5_000)))).toBe(true);
  });
});
