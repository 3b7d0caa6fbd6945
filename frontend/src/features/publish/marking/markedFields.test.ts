import { describe, expect, it } from 'vitest';

import type { Blank } from '@/shared/pages/messages';

import {
  acceptAll,
  addField,
  changeField,
  declaredKinds,
  marksToShow,
  marksToWrite,
  nameForText,
  nameProblem,
  shownStructure,
  shownValues,
  suggestedFields,
  type ChosenField,
} from './markedFields';
import { reduceHistory } from './useMarkingHistory';

const blank = (over: Partial<Blank>): Blank => ({
  name: 'Name',
  key: '1',
  text: '____',
  form: 'underscores',
  kind: 'text',
  choices: [],
  part: 'word/document.xml',
  paragraph: 1,
  start: 6,
  end: 10,
  confidence: 'high',
  context: 'Name: ____',
  ...over,
});

const chosen = (over: Partial<ChosenField>): ChosenField => ({
  name: 'Chosen',
  role: 'value',
  places: [{ part: 'word/document.xml', paragraph: 3, start: 0, end: 4 }],
  text: 'Acme',
  context: 'Acme pays',
  ...over,
});

const BLANKS = [
  blank({}),
  blank({ name: 'Town', key: '2', paragraph: 2, confidence: 'low' }),
  blank({ paragraph: 5 }),
  blank({
    name: 'Pets',
    key: '3',
    kind: 'yes_no',
    form: 'check_box',
    text: '☐',
    paragraph: 6,
    start: 0,
    end: 1,
  }),
];

describe('suggested fields', () => {
  it('are one field for blanks with the same key', () => {
    const fields = suggestedFields(BLANKS);
    expect(fields.map(({ name, places, isUncertain }) => [name, places.length, isUncertain])).toEqual([
      ['Name', 2, false],
      ['Town', 1, true],
      ['Pets', 1, false],
    ]);
    expect(marksToWrite(fields)).toEqual([]);
  });

  it('are accepted all at once, except uncertain ones', () => {
    const fields = acceptAll(suggestedFields(BLANKS));
    expect(marksToWrite(fields).map(({ name, kind, paragraph }) => [name, kind, paragraph])).toEqual([
      ['Name', 'text', 1],
      ['Name', 'text', 5],
      ['Pets', 'yes_no', 6],
    ]);
    expect([...declaredKinds(fields).keys()]).toEqual(['Name', 'Pets']);
  });

  it('are shown with their own text, or with their name when they are accepted', () => {
    const fields = changeField(suggestedFields(BLANKS), 'waraq field 1', {
      isAccepted: true,
      name: 'Client',
    });
    expect(shownValues([], fields)).toEqual({
      'waraq field 1': '[Client]',
      'waraq field 2': '____',
      'waraq field 3': '☐',
    });
    // All of them are texts of the shown document, whose names do not change.
    expect(marksToShow(fields).map(({ name, kind }) => [name, kind])).toEqual([
      ['waraq field 1', 'text'],
      ['waraq field 1', 'text'],
      ['waraq field 2', 'text'],
      ['waraq field 3', 'text'],
    ]);
    expect(shownStructure([{ name: 'own', type: 'text' }], fields)).toHaveLength(4);
  });
});

describe('a chosen field', () => {
  it('is put in the order of the document, and replaces suggestions at its place', () => {
    const fields = suggestedFields(BLANKS);
    const places = [{ part: 'word/document.xml', paragraph: 2, start: 8, end: 12 }];
    const added = addField(fields, chosen({ places }));
    expect(added?.fields.map(({ name }) => name)).toEqual(['Name', 'Chosen', 'Pets']);
    expect(added?.id).toBe('waraq field 4');
  });

  it('is refused where an accepted field is', () => {
    const fields = acceptAll(suggestedFields(BLANKS));
    const place = { part: 'word/document.xml', paragraph: 1, start: 0, end: 7 };
    expect(addField(fields, chosen({ places: [place] }))).toBeNull();
    expect(addField(fields, chosen({ places: [{ ...place, part: 'word/header1.xml' }] }))).not.toBeNull();
  });

  it('can make a text optional around other fields, and repeat a row', () => {
    const fields = acceptAll(suggestedFields(BLANKS));
    const places = [{ part: 'word/document.xml', paragraph: 1, start: 0, end: 0, last_paragraph: 2 }];
    const optional = addField(fields, chosen({ role: 'optional', places }));
    const row = addField(optional?.fields ?? [], chosen({ role: 'row', name: 'Rows' }));
    const marks = marksToWrite(row?.fields ?? []);
    expect(marks.find(({ name }) => name === 'Chosen')).toEqual({
      part: 'word/document.xml',
      paragraph: 1,
      start: 0,
      end: 0,
      last_paragraph: 2,
      name: 'Chosen',
      kind: 'yes_no',
    });
    expect(marks.find(({ name }) => name === 'Rows')?.kind).toBe('list');
    expect(marksToShow(row?.fields ?? []).map(({ name }) => name)).not.toContain(optional?.id);
  });
});

it.each([
  ['', 'nameMissing'],
  ['  ', 'nameMissing'],
  ['a{b}', 'nameCharacters'],
  ['#list', 'nameCharacters'],
  ['a\tb', 'nameCharacters'],
  ['x'.repeat(101), 'nameTooLong'],
  ['Tenant 1 – name', 'nameCharacters'],
  ['اسم المستأجر (١)', null],
  ['N° de l’acte', null],
])('the name %j has the problem %s', (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

it.each([
  ['Acme Ltd', 'Acme Ltd'],
  ['[Company name]', 'Company name'],
  ['12.50', 'Field 1'],
  ['', 'Field 1'],
  ['a long sentence that nobody would use as the name of a field', 'Field 1'],
])('the text %j suggests the name %j', (text, name) => {
  expect(nameForText(text, 'Field 1')).toBe(name);
});

it('every change can be undone and redone', () => {
  const fields = suggestedFields(BLANKS);
  const start = { past: [], fields, future: [] };
  const accepted = reduceHistory(start, { type: 'change', update: acceptAll });
  const undone = reduceHistory(accepted, { type: 'undo' });
  expect(undone.fields).toBe(fields);
  expect(reduceHistory(undone, { type: 'undo' })).toBe(undone);
  expect(reduceHistory(undone, { type: 'redo' }).fields).toEqual(acceptAll(fields));
  // A change to the same values is no step.
  const update = (now: typeof fields) => changeField(now, 'waraq field 1', { name: 'Name' });
  expect(reduceHistory(undone, { type: 'change', update })).toBe(undone);
  // A new change ends what could be redone.
  expect(reduceHistory(undone, { type: 'change', update: (now) => [...now] }).future).toEqual([]);
});
