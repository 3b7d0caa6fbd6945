import { describe, expect, it } from 'vitest';

import { listToSend, picked, suggestionsFor } from './categories';

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
  it('suggests the first eight where nothing is typed', () => {
    expect(suggestionsFor('', labels)).toEqual(labels.slice(0, 8));
    expect(suggestionsFor('legal, ', labels)).toHaveLength(8);
  });

  it('suggests what starts with the last fragment, whatever its case', () => {
    expect(suggestionsFor('legal, E', labels)).toEqual(['employment', 'education']);
    expect(suggestionsFor('fin', labels)).toEqual(['finance']);
    expect(suggestionsFor('inance', labels)).toEqual([]);
  });

  it('reads the Arabic comma too', () => {
    expect(suggestionsFor('قانوني، عم', ['عمل', 'قانوني'])).toEqual(['عمل']);
    expect(listToSend('قانوني، عمل ،، ')).toBe('قانوني,عمل');
  });

  it('picks: replaces the fragment, trims, drops empty entries, ends with a comma', () => {
    expect(picked('legal ,, fi', 'finance')).toBe('legal, finance,');
    expect(picked('', 'general')).toBe('general,');
    expect(picked('legal, le', 'legal')).toBe('legal,');
  });
});
