import { describe, expect, it } from 'vitest';

import type { Answer, FieldHelp } from '@/api/types';

import { added, filledIn, offered, toSend, type Known } from './answers';

const field = (name: string, meaning: FieldHelp['meaning'], party?: FieldHelp['party']): FieldHelp => ({
  field: name,
  kind: 'text',
  ...(meaning && { meaning }),
  ...(party && { party }),
});
const name = (value: string, ...parties: Known['parties']): Known => ({ meaning: 'name', value, parties });

describe('what a form says that can be offered again', () => {
  it('is what has a meaning, can be seen and is not too long', () => {
    const help = [
      field('A', 'name', 'tenant'),
      field('B', undefined),
      field('C', 'address-level2'),
      field('D', 'street-address'),
      field('E', 'tel'),
      field('constructor', 'email'),
    ];
    const values = {
      A: ' Amina  B. ',
      B: 'IBAN',
      C: 'x'.repeat(201),
      D: ' 5, rue du Lac\r\n\n1053 Tunis',
      E: '1\n2',
    };
    expect(filledIn(help, values)).toEqual([
      { meaning: 'name', party: 'tenant', value: 'Amina B.' },
      { meaning: 'street-address', value: '5, rue du Lac\n1053 Tunis' },
    ]);
    expect(filledIn(help, { A: '\u200b', D: '1\n2\n3\n4\n5\n6' })).toEqual([]);
  });
});

describe('what is remembered', () => {
  const add = (known: Known[], ...answers: Answer[]) => added(known, answers);

  it('is there once, what was used last first', () => {
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
    expect(again).toEqual([name('سلمى'), name('amelie', 'buyer', 'tenant')]);
  });

  it('is bounded: the oldest make room', () => {
    const names = Array.from({ length: 20 }, (_, at): Answer => ({ meaning: 'name', value: `Name ${at}` }));
    const known = add([{ meaning: 'tel', value: '1', parties: [] }], ...names);
    expect(known).toHaveLength(13);
    expect([known[0]?.value, known.at(-1)?.value]).toEqual(['Name 0', '1']);
  });

  it('is sent once for each party', () => {
    expect(toSend([name('A', 'tenant', 'buyer'), name('B')])).toEqual([
      { meaning: 'name', value: 'A', party: 'tenant' },
      { meaning: 'name', value: 'A', party: 'buyer' },
      { meaning: 'name', value: 'B' },
    ]);
    const known = [name('A', 'tenant', 'buyer'), name('B')];
    expect(added([], toSend(known))).toEqual(known);
  });
});

describe('what is offered', () => {
  const known: Known[] = [
    name('Lina', 'landlord'),
    name('Amina Ben Salah', 'tenant'),
    name('أمينة'),
    { meaning: 'organization', value: 'Lac SARL', parties: ['tenant'] },
    { meaning: 'email', value: 'a@example.org', parties: [] },
  ];

  it('is of the same meaning, of the same party first, a company of the same party last', () => {
    const tenant = field('Tenant', 'name', 'tenant');
    expect(offered(known, tenant, '')).toEqual(['Amina Ben Salah', 'Lina', 'أمينة', 'Lac SARL']);
    expect(offered(known, field('Name', 'name'), '')).toEqual(['أمينة', 'Lina', 'Amina Ben Salah']);
    expect(offered(known, field('E-mail', 'email'), '')).toEqual(['a@example.org']);
    expect(offered(known, field('Anything', undefined), '')).toEqual([]);
  });

  it('fits what is typed, and is not what stands there', () => {
    const any = field('Name', 'name');
    expect(offered(known, any, 'sálah')).toEqual(['Amina Ben Salah']);
    expect(offered(known, any, 'امينه')).toEqual(['أمينة']);
    expect(offered(known, any, 'Lina')).toEqual([]);
    expect(offered(known, any, 'two\nlines')).toEqual([]);
  });

  it('is not more than a list shows', () => {
    const many = Array.from({ length: 12 }, (_, at) => name(`Name ${at}`));
    expect(offered(many, field('Name', 'name'), '')).toHaveLength(6);
  });
});
