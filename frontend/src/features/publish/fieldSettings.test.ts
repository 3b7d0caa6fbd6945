import { describe, expect, it } from 'vitest';

import type { FieldSettings } from '@/shared/fields/fieldSettings';

import {
  renameOverrides,
  detectedSettings,
  haveSameOverrides,
  extractOverrides,
  setDeclaredKinds,
  type DeclaredKind,
  setOverride,
  effectiveSettings,
  overridesToSend,
  removeOverrides,
} from './fieldSettings';

const HELP: FieldSettings[] = [
  { field: 'Name', hint: 'In full', kind: 'text', said: ['hint', 'group'] },
  { field: 'Sum', kind: 'text', said: ['kind'], guessed: { field: 'Sum', kind: 'amount' } },
  { field: 'Date', kind: 'date', group: 'Dates' },
];

describe('field settings', () => {
  it('are split into overrides and detected settings', () => {
    const said = extractOverrides(HELP);
    expect(said).toEqual({ Name: { hint: 'In full', group: '' }, Sum: { kind: 'text' } });
    const guesses = detectedSettings(HELP);
    expect(guesses).toEqual([
      { field: 'Name', kind: 'text' },
      { field: 'Sum', kind: 'amount' },
      { field: 'Date', kind: 'date', group: 'Dates' },
    ]);
    expect(guesses.map((guess) => effectiveSettings(guess, said).kind)).toEqual(['text', 'text', 'date']);
    expect(effectiveSettings(guesses[1] as FieldSettings, removeOverrides(said, 'Sum'))).toEqual({
      field: 'Sum',
      kind: 'amount',
      said: [],
    });
  });

  it('get the kinds of the program for which a file was written', () => {
    const detected: FieldSettings[] = [
      { field: 'items', kind: 'yes_no' },
      {
        field: 'orders',
        kind: 'list',
        columns: [
          { field: 'photo', kind: 'text' },
          { field: 'parts', kind: 'yes_no' },
        ],
      },
      { field: 'logo', kind: 'text' },
      { field: 'text', kind: 'text' },
    ];
    const declared = new Map<string, DeclaredKind>([['text', { kind: 'choice', choices: ['a', 'b'] }]]);
    for (const name of ['items', 'orders', 'parts']) declared.set(name, { kind: 'list' });
    for (const name of ['logo', 'photo', 'other']) declared.set(name, { kind: 'picture' });
    expect(setDeclaredKinds({ text: { hint: 'h' } }, detected, declared)).toEqual({
      text: { hint: 'h', kind: 'choice', choices: ['a', 'b'] },
      items: { kind: 'list' },
      orders: { columns: { parts: { kind: 'list' }, photo: { kind: 'picture' } } },
      logo: { kind: 'picture' },
    });
    // The author's own choice stays, and a text cannot be a list.
    const chosen = { items: { kind: 'yes_no' as const } };
    const wrong = new Map<string, DeclaredKind>([
      ['items', { kind: 'list' }],
      ['logo', { kind: 'list' }],
    ]);
    expect(setDeclaredKinds(chosen, detected, wrong)).toEqual(chosen);
  });

  it('are overridden and reset one by one', () => {
    const said = setOverride(setOverride({}, 'constructor', 'hint', 'x'), 'constructor', 'kind', 'date');
    expect(said).toEqual({ constructor: { hint: 'x', kind: 'date' } });
    expect(
      setOverride(setOverride(said, 'constructor', 'hint', undefined), 'constructor', 'kind', undefined),
    ).toEqual({});
  });

  it('are sent for existing fields in their order, and follow a rename', () => {
    const said = renameOverrides(extractOverrides(HELP), { Name: 'Full name' });
    expect(overridesToSend([{ field: 'Sum' }, { field: 'Full name' }], said)).toEqual([
      { field: 'Sum', kind: 'text' },
      { field: 'Full name', hint: 'In full', group: '' },
    ]);
    expect(haveSameOverrides([{ field: 'Sum' }], said, extractOverrides(HELP))).toBe(true);
    expect(haveSameOverrides([{ field: 'Sum' }], said, {})).toBe(false);
  });
});
