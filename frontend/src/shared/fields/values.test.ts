import { describe, expect, it } from 'vitest';

import { structuredField, withStructure, type FieldSettings } from './fieldSettings';
import { parseFieldValue } from './parseValues';
import { cellPath, formatPath, parsePath } from './paths';
import {
  areSameValues,
  completeValues,
  convertValue,
  countRows,
  isEmptyValue,
  parseYesNo,
  textsOf,
  valueOfType,
  type StructuredField,
} from './values';

const items: StructuredField = {
  name: 'items',
  type: 'list',
  columns: [
    { name: 'name', type: 'text' },
    { name: 'gift', type: 'yes_no' },
    { name: 'parts', type: 'list', columns: [{ name: 'size', type: 'text' }] },
  ],
};
const guarantor: StructuredField = { name: 'guarantor', type: 'yes_no' };
const logo = { image: 'data:image/png;base64,iVBORw0KGgo=', alternativeText: 'Logo' };

describe('a value of another form', () => {
  it.each([
    ['x', { name: 'a', type: 'text' }, 'x'],
    [true, { name: 'a', type: 'text' }, 'true'],
    [false, { name: 'a', type: 'qr_code' }, 'false'],
    ['', guarantor, false],
    ['Oui', guarantor, true],
    ['لا', guarantor, false],
    ['perhaps', guarantor, 'perhaps'],
    [' ', items, []],
    ['two chairs', items, 'two chairs'],
    [[{ gift: 'yes', parts: '' }], items, [{ gift: true, parts: [] }]],
    ['', { name: 'a', type: 'picture' }, ''],
  ] as const)('%j is converted as the server does', (value, field, converted) => {
    expect(convertValue(value as never, field as StructuredField)).toEqual(converted);
  });

  it('that already fits stays the same object, with its rows', () => {
    const rows = [{ name: 'Chair', gift: true }, { gift: 'x' }];
    const fitting = rows.slice(0, 1);
    expect(convertValue(fitting, items)).toBe(fitting);
    const converted = convertValue(rows, items) as typeof rows;
    expect(converted[0]).toBe(rows[0]);
    expect(converted[1]).toEqual({ gift: true });
  });

  it('that cannot be converted is shown as empty', () => {
    expect(valueOfType({ items: 'two chairs' }, items)).toEqual([]);
    expect(valueOfType({ guarantor: 'perhaps' }, guarantor)).toBe(false);
    expect(valueOfType({ name: [{}] }, { name: 'name', type: 'text' })).toBe('');
    expect(valueOfType({}, { name: 'constructor', type: 'text' })).toBe('');
  });
});

it('values that are sent have every column and no other, and no blank text', () => {
  const values = { items: [{ name: ' ', old: 'x', parts: [{}] }, {}], gone: 'x', guarantor: 'yes' };
  expect(completeValues(values, [items, guarantor, { name: 'constructor', type: 'text' }])).toEqual({
    items: [
      { name: '', gift: false, parts: [{ size: '' }] },
      { name: '', gift: false, parts: [] },
    ],
    guarantor: true,
    constructor: '',
  });
});

it('yes and no are read in the languages of the site, with their signs', () => {
  for (const text of ['Yes', ' OUI ', 'نعم', 'coché', '☑', '✓✓', '1', 'X'])
    expect(parseYesNo(text), text).toBe(true);
  for (const text of ['', ' ', 'No', 'NON', 'لا', 'décoché', '☐', '-', '0'])
    expect(parseYesNo(text), text).toBe(false);
  for (const text of ['maybe', '2', 'yes please']) expect(parseYesNo(text), text).toBeNull();
});

it('a list is empty if all of its rows are, and no is empty', () => {
  for (const value of ['', ' \u200b', false, [], [{}], [{ a: ' ', b: false, c: [{ d: '' }] }]])
    expect(isEmptyValue(value), JSON.stringify(value)).toBe(true);
  for (const value of ['0', true, [{ a: '' }, { a: 'x' }], logo])
    expect(isEmptyValue(value), JSON.stringify(value)).toBe(false);
});

it('values are the same if they print the same', () => {
  expect(areSameValues([{ a: '1', b: '' }], [{ a: '1' }])).toBe(true);
  expect(areSameValues('', [])).toBe(true);
  expect(areSameValues({ ...logo }, logo)).toBe(true);
  expect(areSameValues([{ a: '1' }], [{ a: '1' }, {}])).toBe(false);
  expect(areSameValues([{ a: '1' }], [{ a: '2' }])).toBe(false);
  expect(areSameValues(logo, { image: logo.image })).toBe(false);
  expect(areSameValues(false, true)).toBe(false);
});

it('texts and rows in lists are found', () => {
  const value = [{ a: 'x', b: true, c: [{ d: 'y' }, { d: 'z' }] }, { logo }];
  expect(textsOf(value)).toEqual(['x', 'y', 'z', 'Logo']);
  expect(countRows(value)).toBe(4);
});

it('stored values are checked, and lists are not nested without end', () => {
  expect(parseFieldValue(1.5)).toBe('1.5');
  expect(parseFieldValue({ image: 1 })).toBeUndefined();
  let nested: unknown = [];
  for (let depth = 0; depth < 10; depth++) nested = [{ a: nested }];
  expect(JSON.stringify(parseFieldValue(nested))).toBe('[{"a":[{"a":[{"a":[{}]}]}]}]');
});

describe('a path', () => {
  it.each([
    ['a.b', { field: 'a.b', rows: [], columns: [] }],
    ['items[3].unit price', { field: 'items', rows: [3], columns: ['unit price'] }],
    ['items[3]', { field: 'items', rows: [3], columns: [] }],
    ['items[0]..', { field: 'items', rows: [0], columns: ['.'] }],
    ['a[1].b.c[20].d', { field: 'a', rows: [1, 20], columns: ['b.c', 'd'] }],
  ])('%s is read and written', (path, parsed) => {
    expect(parsePath(path)).toEqual(parsed);
    expect(formatPath(parsed)).toBe(path);
  });

  it('of a cell names its list and row', () => {
    expect(cellPath('a[1].b', 20, 'c')).toBe('a[1].b[20].c');
  });
});

describe('the structure of a template', () => {
  const settings: FieldSettings[] = [
    { field: 'items', kind: 'text', columns: [{ field: 'price', kind: 'amount' }] },
    { field: 'date', kind: 'date' },
    { field: 'clause', kind: 'list' },
  ];

  it('determines the types; kinds that fit them stay', () => {
    const found = withStructure(settings, [
      {
        name: 'items',
        type: 'list',
        columns: [
          { name: 'what', type: 'text' },
          { name: 'price', type: 'text' },
        ],
      },
      { name: 'date', type: 'text' },
      { name: 'clause', type: 'yes_no' },
    ]);
    expect(found).toEqual([
      {
        field: 'items',
        kind: 'list',
        columns: [
          { field: 'what', kind: 'text' },
          { field: 'price', kind: 'amount' },
        ],
      },
      { field: 'date', kind: 'date' },
      { field: 'clause', kind: 'yes_no' },
    ]);
    expect(found.map(structuredField)[0]?.columns?.map(({ type }) => type)).toEqual(['text', 'text']);
  });

  it('is missing for templates of earlier versions, which keep their settings', () => {
    expect(withStructure(settings.slice(1, 2), undefined)).toEqual(settings.slice(1, 2));
  });
});
