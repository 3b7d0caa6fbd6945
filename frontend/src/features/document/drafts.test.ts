import { describe, expect, it } from 'vitest';

import { fieldsAndValues } from './drafts';
import { areTooLong, isTooLong } from './limits';

describe('what is sent', () => {
  it('has every field once, in the template’s order, empty where nothing was entered', () => {
    const sent = fieldsAndValues(['b', 'a', 'toString'], { a: '1', gone: 'x' });
    expect(JSON.stringify(sent)).toBe('[{"b":""},{"a":"1"},{"toString":""}]');
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
