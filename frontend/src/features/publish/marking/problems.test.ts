import { describe, expect, it } from 'vitest';

import type { Diagnostic, DiagnosticCode } from '@/api/types';
import type { FoundPlace } from '@/shared/pages/messages';

import { addField, changeField, removeField, type MarkedField } from './markedFields';
import {
  documentProblems,
  isRepaired,
  placeProblems,
  repairedName,
  selectionKey,
  type DocumentProblem,
} from './problems';

const PART = 'word/document.xml';

function diagnostic(code: DiagnosticCode, context: string, fields: string[] = []): Diagnostic {
  const severity = code === 'lookalike_names' || code === 'foreign_syntax' ? 'warning' : 'error';
  return { code, severity, message: '', part: PART, paragraph: 1, context, fields };
}

function problemOf(code: DiagnosticCode, context: string, names: string[] = []): DocumentProblem {
  const [problem] = documentProblems([diagnostic(code, context, names)], []);
  if (!problem) throw new Error('there is no problem');
  return problem;
}

const place = (paragraph: number, start: number, end: number): FoundPlace => ({
  part: PART,
  paragraph,
  start,
  end,
  in_row: false,
  context: '',
});

function marked(name: string, paragraph: number, role: MarkedField['role'] = 'value'): MarkedField[] {
  const places = [{ part: PART, paragraph, start: 0, end: 4 }];
  return addField([], { name, role, places, text: 'Acme', context: 'Acme' })?.fields ?? [];
}

/** Adds a field with another id. */
const both = (one: MarkedField[], other: MarkedField[]) => [
  ...one,
  ...other.map((field) => ({ ...field, id: `${field.id}1` })),
];

describe('the text of a problem', () => {
  it.each<[DiagnosticCode, string, string]>([
    ['unclosed_field', 'Deputy: {{Deputy name', '{{Deputy name'],
    ['unclosed_field', 'Deputy: {{Deputy name, of age', '{{Deputy name'],
    ['unclosed_field', 'Deputy: {{Deputy name} of age', '{{Deputy name}'],
    // The name ends somewhere in a long text. Only its first word is certain.
    ['unclosed_field', 'Signed by {{Deputy on the day of the agreement', '{{Deputy'],
    ['unclosed_field', '{{One}} and {{Two', '{{Two'],
    ['unclosed_field', 'النائب: {{اسم النائب، المقيم', '{{اسم النائب'],
    ['unclosed_field', 'ends with {{', '{{'],
    ['empty_field', 'a {{ }} b', '{{ }}'],
    ['invalid_name', '{{good}} {{a*b}}', '{{a*b}}'],
    ['stray_close', '{{ok}} and name}} here', 'name}}'],
    ['stray_close', 'a {long name}} b', '{long name}}'],
    ['foreign_syntax', 'pays [[the amount]] now', '[[the amount]]'],
  ])('%s in “%s”', (code, context, text) => {
    const problem = problemOf(code, context);
    expect(problem.selections.map((one) => one.text)).toEqual([text]);
    expect(problem.isRepairable).toBe(true);
  });

  it('is searched with the text of the original around it', () => {
    const [problem] = documentProblems(
      [diagnostic('unclosed_field', '…for {{Client}}: {{Deputy')],
      marked('Client', 1),
    );
    expect(problem?.selections).toEqual([{ text: '{{Deputy', before: 'for Acme: ', after: '' }]);
  });

  it('is each tag of a section', () => {
    const { selections, isRepairable } = problemOf('crossed_sections', '{{/b}}', ['b']);
    expect(selections.map(({ text }) => text)).toEqual(['{{#b}}', '{{^b}}', '{{/b}}']);
    expect(isRepairable).toBe(false);
  });

  it('is not the name of a control, which may be in the text by chance', () => {
    expect(problemOf('control_not_fillable', 'Client').selections).toEqual([]);
    expect(problemOf('field_across_paragraphs', '…to {{Client').selections).toMatchObject([
      { text: 'to {{Client' },
    ]);
  });

  it('becomes the name of a field', () => {
    expect(repairedName(problemOf('unclosed_field', 'Deputy: {{Deputy name'), 'Field 1')).toBe('Deputy name');
    expect(repairedName(problemOf('empty_field', '{{}}'), 'Field 1')).toBe('Field 1');
  });
});

describe('the places of problems', () => {
  const problem = problemOf('unclosed_field', 'Deputy: {{Deputy');
  const foundAt = (at: FoundPlace) =>
    new Map(problem.selections.map((selection) => [selectionKey(selection), [at]]));

  it('are fields of the shown document with their own text', () => {
    const { placed, marks, values } = placeProblems([problem], foundAt(place(2, 8, 16)), [], []);
    expect(marks).toMatchObject([{ paragraph: 2, start: 8, end: 16, kind: 'text' }]);
    expect(placed[0]?.shownFields).toEqual([marks[0]?.name]);
    expect(Object.values(values)).toEqual(['{{Deputy']);
  });

  it('are the marked field that is there already', () => {
    const fields = marked('Client', 2);
    const { placed, marks } = placeProblems([problem], foundAt(place(2, 0, 4)), fields, []);
    expect(marks).toEqual([]);
    expect(placed[0]?.shownFields).toEqual([fields[0]?.id]);
  });

  it('are the fields with the names', () => {
    const fields = marked('Rent', 1);
    const names = problemOf('lookalike_names', '', ['Rent', 'Rent.']);
    const existing = [{ name: 'Rent.', type: 'text' as const }];
    const { placed } = placeProblems([names], new Map(), fields, existing);
    expect(placed[0]?.shownFields).toEqual([fields[0]?.id, 'Rent.']);
    expect(placed[0]?.fieldIds).toEqual([fields[0]?.id]);
  });
});

describe('a repaired problem', () => {
  const placed = (
    problem: DocumentProblem,
    fields: MarkedField[],
    found = new Map<string, FoundPlace[]>(),
  ) => {
    const [one] = placeProblems([problem], found, fields, []).placed;
    if (!one) throw new Error('there is no problem');
    return one;
  };

  it('has become a field', () => {
    const problem = problemOf('unclosed_field', '{{De');
    const found = new Map(problem.selections.map((one) => [selectionKey(one), [place(2, 0, 4)]]));
    expect(isRepaired(placed(problem, [], found), [], [])).toBe(false);
    expect(isRepaired(placed(problem, [], found), [], marked('Deputy', 2))).toBe(true);
  });

  it('has names that were renamed or deleted', () => {
    const fields = both(marked('Rent', 1), marked('Rent.', 2));
    const names = placed(problemOf('lookalike_names', '', ['Rent', 'Rent.']), fields);
    const [first] = fields;
    const id = first?.id ?? '';
    expect(isRepaired(names, fields, fields)).toBe(false);
    expect(isRepaired(names, fields, changeField(fields, id, { kind: 'date' }))).toBe(false);
    expect(isRepaired(names, fields, changeField(fields, id, { name: 'Price' }))).toBe(true);
    expect(isRepaired(names, fields, removeField(fields, id))).toBe(true);
    expect(isRepaired(names, fields, changeField(fields, id, { isAccepted: false }))).toBe(true);
  });

  it('is not one whose name has other places', () => {
    const fields = both(both(marked('Rent', 1), marked('Rent', 2)), []);
    const names = placed(problemOf('lookalike_names', '', ['Rent', 'Rent.']), fields);
    expect(isRepaired(names, fields, fields.slice(1))).toBe(false);
    const list = both(marked('Rent', 1, 'row'), marked('Rent', 2));
    const used = placed(problemOf('list_used_as_text', '', ['Rent']), list);
    expect(isRepaired(used, list, list.slice(1))).toBe(true);
  });
});
