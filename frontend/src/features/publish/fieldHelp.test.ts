import { describe, expect, it } from 'vitest';

import type { FieldHelp } from '@/api/types';

import { carried, guessesOf, isSaidSame, saidOf, say, shown, toSend, unsay } from './fieldHelp';

const HELP: FieldHelp[] = [
  { field: 'Name', hint: 'In full', kind: 'text', said: ['hint', 'group'] },
  { field: 'Sum', kind: 'text', said: ['kind'], guessed: { field: 'Sum', kind: 'amount' } },
  { field: 'Date', kind: 'date', group: 'Dates' },
];

describe('what is said of fields', () => {
  it('is told apart from what is guessed', () => {
    const said = saidOf(HELP);
    expect(said).toEqual({ Name: { hint: 'In full', group: '' }, Sum: { kind: 'text' } });
    const guesses = guessesOf(HELP);
    expect(guesses).toEqual([
      { field: 'Name', kind: 'text' },
      { field: 'Sum', kind: 'amount' },
      { field: 'Date', kind: 'date', group: 'Dates' },
    ]);
    expect(guesses.map((guess) => shown(guess, said).kind)).toEqual(['text', 'text', 'date']);
    expect(shown(guesses[1] as FieldHelp, unsay(said, 'Sum'))).toEqual({
      field: 'Sum',
      kind: 'amount',
      said: [],
    });
  });

  it('is said and taken back part by part', () => {
    const said = say(say({}, 'constructor', 'hint', 'x'), 'constructor', 'kind', 'date');
    expect(said).toEqual({ constructor: { hint: 'x', kind: 'date' } });
    expect(say(say(said, 'constructor', 'hint', undefined), 'constructor', 'kind', undefined)).toEqual({});
  });

  it('is sent of the fields there are, in their order, and follows a rename', () => {
    const said = carried(saidOf(HELP), { Name: 'Full name' });
    expect(toSend(['Sum', 'Full name'], said)).toEqual([
      { field: 'Sum', kind: 'text' },
      { field: 'Full name', hint: 'In full', group: '' },
    ]);
    expect(isSaidSame(['Sum'], said, saidOf(HELP))).toBe(true);
    expect(isSaidSame(['Sum'], said, {})).toBe(false);
  });
});
