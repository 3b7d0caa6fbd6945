import { describe, expect, it } from 'vitest';

import { listToSend, pickCategory, suggestionsFor } from './categories';

const labels = [
  'general',
  'employment',
  'education',
  'finance',
  'family',
  'housing',
  'legal',
  'personal',
  'business',
];

describe('the categories input', () => {
  it('suggests the first eight without input', () => {
    expect(suggestionsFor('', labels)).toEqual(labels.slice(0, 8));
    expect(suggestionsFor('legal, ', labels)).toHaveLength(8);
  });

  it('suggests categories that start with the last entry, in upper or lower case', () => {
    expect(suggestionsFor('legal, E', labels)).toEqual(['employment', 'education']);
    expect(suggestionsFor('fin', labels)).toEqual(['finance']);
    expect(suggestionsFor('inance', labels)).toEqual([]);
  });

  it('accepts the Arabic comma', () => {
    expect(suggestionsFor('قانوني، عم', ['عمل', 'قانوني'])).toEqual(['عمل']);
    expect(listToSend('قانوني، عمل ،، ')).toBe('قانوني,عمل');
  });

  it('replaces the last entry by the picked category, without empty entries, and ends with a comma', () => {
    expect(pickCategory('legal ,, fi', 'finance')).toBe('legal, finance,');
    expect(pickCategory('', 'general')).toBe('general,');
    expect(pickCategory('legal, le', 'legal')).toBe('legal,');
  });
});
