import { describe, expect, it } from 'vitest';

import { entries, lastFragment, pick, suggestions } from './categories';

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
    expect(suggestions('', labels)).toEqual(labels.slice(0, 8));
    expect(suggestions('legal, ', labels)).toHaveLength(8);
  });

  it('suggests what starts with the last fragment, whatever its case', () => {
    expect(suggestions('legal, E', labels)).toEqual(['employment', 'education']);
    expect(suggestions('fin', labels)).toEqual(['finance']);
    expect(suggestions('inance', labels)).toEqual([]);
  });

  it('reads the Arabic comma too', () => {
    expect(lastFragment('قانوني، عم')).toBe('عم');
    expect(entries('قانوني، عمل ،، ')).toEqual(['قانوني', 'عمل']);
  });

  it('picks: replaces the fragment, trims, drops empty entries, ends with a comma', () => {
    expect(pick('legal ,, fi', 'finance')).toBe('legal, finance, ');
    expect(pick('', 'general')).toBe('general, ');
    expect(pick('legal, le', 'legal')).toBe('legal, ');
  });
});
