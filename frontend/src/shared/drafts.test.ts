import { beforeEach, describe, expect, it } from 'vitest';

import { openTab } from '@/testing/browser';

import {
  changed,
  editKey,
  EMPTY_DRAFT,
  fieldsAndValues,
  isBlank,
  readDraft,
  removeDraft,
  valueOf,
  writeDraft,
} from './drafts';
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

describe('a draft', () => {
  beforeEach(() => void openTab());

  it('is kept with the edit it belongs to, until it is removed', () => {
    const draft = {
      values: { a: '1', constructor: 'x' },
      blank: true,
      filling: 'f',
      edit: { version: 3, title: 'Lease', templateVersion: 2 },
    };
    void writeDraft(editKey('s1'), draft);
    void writeDraft('t1', EMPTY_DRAFT);
    expect(readDraft('saved:s1')).toEqual(draft);
    removeDraft('saved:s1');
    expect(readDraft('saved:s1')).toBeNull();
    expect(readDraft('t1')).toEqual(EMPTY_DRAFT);
  });

  it('that was changed is another filling, and keeps the values that were not', () => {
    const draft = { ...EMPTY_DRAFT, values: { a: '1', b: '2' }, filling: 'f' };
    expect(changed(draft, { values: { b: '3' } })).toEqual({
      ...draft,
      values: { a: '1', b: '3' },
      filling: null,
    });
    expect(changed(draft, { filling: 'g' }).filling).toBe('g');
  });

  it('has no value for a field that only looks like one of JavaScript’s', () => {
    expect(valueOf({}, 'constructor')).toBe('');
  });
});
