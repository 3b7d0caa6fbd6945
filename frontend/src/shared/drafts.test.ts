import { beforeEach, describe, expect, it } from 'vitest';

import { openTestTab } from '@/testing/browser';

import { currentOwner } from './personal/owner';
import { changeEntry } from './personal/store';
import { applyDraftChange, editDraftKey, EMPTY_DRAFT, readDraft, removeDraft, writeDraft } from './drafts';
import { toFieldsAndValues } from './fields/fieldsAndValues';
import { fieldValue, isBlank, type StructuredField } from './fields/values';
import { hasTooManyRows, isTotalTooLong, isTooLong } from './limits';

const texts = (...names: string[]) => names.map((name): StructuredField => ({ name, type: 'text' }));

describe('the values that are sent', () => {
  it('contain every field once, in the template’s order, empty without input', () => {
    const sent = toFieldsAndValues(texts('b', 'a', 'toString'), { a: '1', gone: 'x' });
    expect(JSON.stringify(sent)).toBe('[{"b":""},{"a":"1"},{"toString":""}]');
  });
});

describe('a blank value', () => {
  it.each(['', ' ', '\t\n', '\u00a0\u3000', '\u200b\u200f\u2060\ufeff'])(
    '%j is sent as an empty text',
    (value) => {
      expect(isBlank(value)).toBe(true);
      expect(toFieldsAndValues(texts('a'), { a: value })).toEqual([{ a: '' }]);
    },
  );

  it.each([' x ', '0', '-', '\u200fم'])('%j is sent as it was typed', (value) => {
    expect(isBlank(value)).toBe(false);
    expect(toFieldsAndValues(texts('a'), { a: value })).toEqual([{ a: value }]);
  });
});

describe('limits of values', () => {
  it('counts characters, not code units', () => {
    expect(isTooLong('😀'.repeat(10_000))).toBe(false);
    expect(isTooLong('a'.repeat(10_001))).toBe(true);
  });

  it('counts all values together in bytes', () => {
    expect(isTotalTooLong(Array.from({ length: 20 }, () => 'é'.repeat(5_000)))).toBe(false);
    expect(isTotalTooLong(Array.from({ length: 21 }, () => 'é'.repeat(5_000)))).toBe(true);
  });
});

it('counts the rows of all lists, and those of the lists in rows', () => {
  const list = (count: number) => Array.from({ length: count }, () => ({ parts: [{}, {}, {}] }));
  expect(hasTooManyRows([list(500), 'text'])).toBe(false);
  expect(hasTooManyRows([list(500), [{}]])).toBe(true);
});

describe('a draft', () => {
  beforeEach(() => void openTestTab());

  it('is stored with its edit until it is removed', () => {
    const draft = {
      values: { a: '1', constructor: 'x' },
      blank: true,
      filling: 'f',
      edit: { version: 3, title: 'Lease', templateVersion: 2 },
    };
    void writeDraft(editDraftKey('s1'), draft);
    void writeDraft('t1', EMPTY_DRAFT);
    expect(readDraft('saved:s1')).toEqual(draft);
    removeDraft('saved:s1');
    expect(readDraft('saved:s1')).toBeNull();
    expect(readDraft('t1')).toEqual(EMPTY_DRAFT);
  });

  it('that is changed loses its idempotency key and keeps its other values', () => {
    const draft = { ...EMPTY_DRAFT, values: { a: '1', b: '2' }, filling: 'f' };
    expect(applyDraftChange(draft, { values: { b: '3' } })).toEqual({
      ...draft,
      values: { a: '1', b: '3' },
      filling: null,
    });
    expect(applyDraftChange(draft, { filling: 'g' }).filling).toBe('g');
  });

  it('with lists, answers and pictures is stored, and other values in it are dropped', async () => {
    const values = {
      items: [{ price: '5', parts: [{ name: 'leg' }], gift: true }, {}],
      guarantor: false,
      logo: { image: 'data:image/png;base64,iVBORw0KGgo=', alternativeText: 'Logo' },
    };
    void writeDraft('t2', { ...EMPTY_DRAFT, values });
    expect(readDraft('t2')?.values).toEqual(values);
    const broken = { values: { ...values, wrong: null, list: ['x', 1, { price: null }] } };
    void changeEntry('draft', 't3', () => broken, currentOwner());
    expect(readDraft('t3')?.values).toEqual({ ...values, list: [{}] });
  });

  it('has no value for a field with the name of a JavaScript property', () => {
    expect(fieldValue({}, 'constructor')).toBe('');
  });
});
