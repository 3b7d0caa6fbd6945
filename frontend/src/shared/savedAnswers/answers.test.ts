import { describe, expect, it } from 'vitest';

import type { AnswerInput, FieldSettings } from '@/api/types';

import { addAnswers, answersFromForm, offeredAnswers, toAnswerInputs, type SavedAnswer } from './answers';

const createField = (
  name: string,
  meaning: FieldSettings['meaning'],
  party?: FieldSettings['party'],
): FieldSettings => ({
  field: name,
  kind: 'text',
  ...(meaning && { meaning }),
  ...(party && { party }),
});
const savedName = (value: string, ...parties: SavedAnswer['parties']): SavedAnswer => ({
  meaning: 'name',
  value,
  parties,
});

describe('answersFromForm', () => {
  it('returns visible values with a meaning that are not too long', () => {
    const help = [
      createField('A', 'name', 'tenant'),
      createField('B', undefined),
      createField('C', 'address-level2'),
      createField('D', 'street-address'),
      createField('E', 'tel'),
      createField('constructor', 'email'),
    ];
    const values = {
      A: ' Amina  B. ',
      B: 'IBAN',
      C: 'x'.repeat(201),
      D: ' 5, rue du Lac\r\n\n1053 Tunis',
      E: '1\n2',
    };
    expect(answersFromForm(help, values)).toEqual([
      { meaning: 'name', party: 'tenant', value: 'Amina B.' },
      { meaning: 'street-address', value: '5, rue du Lac\n1053 Tunis' },
    ]);
    expect(answersFromForm(help, { A: '\u200b', D: '1\n2\n3\n4\n5\n6' })).toEqual([]);
  });
});

describe('addAnswers', () => {
  const add = (known: SavedAnswer[], ...answers: AnswerInput[]) => addAnswers(known, answers);

  it('keeps each answer once, the most recent first', () => {
    const first = add(
      [],
      { meaning: 'name', value: 'Amélie', party: 'tenant' },
      { meaning: 'name', value: 'سَلمى' },
    );
    expect(first.map(({ value }) => value)).toEqual(['Amélie', 'سَلمى']);
    const again = add(
      first,
      { meaning: 'name', value: 'سلمى' },
      { meaning: 'name', value: 'amelie', party: 'buyer' },
    );
    expect(again).toEqual([savedName('سلمى'), savedName('amelie', 'buyer', 'tenant')]);
  });

  it('drops the oldest answers above the limit', () => {
    const names = Array.from({ length: 20 }, (_, at): AnswerInput => ({
      meaning: 'name',
      value: `Name ${at}`,
    }));
    const known = add([{ meaning: 'tel', value: '1', parties: [] }], ...names);
    expect(known).toHaveLength(13);
    expect([known[0]?.value, known.at(-1)?.value]).toEqual(['Name 0', '1']);
  });

  it('are sent once for each party', () => {
    expect(toAnswerInputs([savedName('A', 'tenant', 'buyer'), savedName('B')])).toEqual([
      { meaning: 'name', value: 'A', party: 'tenant' },
      { meaning: 'name', value: 'A', party: 'buyer' },
      { meaning: 'name', value: 'B' },
    ]);
    const known = [savedName('A', 'tenant', 'buyer'), savedName('B')];
    expect(addAnswers([], toAnswerInputs(known))).toEqual(known);
  });
});

describe('offeredAnswers', () => {
  const known: SavedAnswer[] = [
    savedName('Lina', 'landlord'),
    savedName('Amina Ben Salah', 'tenant'),
    savedName('أمينة'),
    { meaning: 'organization', value: 'Lac SARL', parties: ['tenant'] },
    { meaning: 'email', value: 'a@example.org', parties: [] },
  ];

  it('have the same meaning: those of the same party first, companies of the same party last', () => {
    const tenant = createField('Tenant', 'name', 'tenant');
    expect(offeredAnswers(known, tenant, '')).toEqual(['Amina Ben Salah', 'Lina', 'أمينة', 'Lac SARL']);
    expect(offeredAnswers(known, createField('Name', 'name'), '')).toEqual([
      'أمينة',
      'Lina',
      'Amina Ben Salah',
    ]);
    expect(offeredAnswers(known, createField('E-mail', 'email'), '')).toEqual(['a@example.org']);
    expect(offeredAnswers(known, createField('Anything', undefined), '')).toEqual([]);
  });

  it('match the typed text, without the current value', () => {
    const any = createField('Name', 'name');
    expect(offeredAnswers(known, any, 'sálah')).toEqual(['Amina Ben Salah']);
    expect(offeredAnswers(known, any, 'امينه')).toEqual(['أمينة']);
    expect(offeredAnswers(known, any, 'Lina')).toEqual([]);
    expect(offeredAnswers(known, any, 'two\nlines')).toEqual([]);
  });

  it('are limited to the length of the list', () => {
    const many = Array.from({ length: 12 }, (_, at) => savedName(`Name ${at}`));
    expect(offeredAnswers(many, createField('Name', 'name'), '')).toHaveLength(6);
  });
});
