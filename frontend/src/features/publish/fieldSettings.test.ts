import { describe, expect, it } from 'vitest';

import type { FieldSettings } from '@/api/types';

import {
  renameOverrides,
  detectedSettings,
  haveSameOverrides,
  extractOverrides,
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

  it('are overridden and reset one by one', () => {
    const said = setOverride(setOverride({}, 'constructor', 'hint', 'x'), 'constructor', 'kind', 'date');
    expect(said).toEqual({ constructor: { hint: 'x', kind: 'date' } });
    expect(
      setOverride(setOverride(said, 'constructor', 'hint', undefined), 'constructor', 'kind', undefined),
    ).toEqual({});
  });

  it('are sent for existing fields in their order, and follow a rename', () => {
    const said = renameOverrides(extractOverrides(HELP), { Name: 'Full name' });
    expect(overridesToSend(['Sum', 'Full name'], said)).toEqual([
      { field: 'Sum', kind: 'text' },
      { field: 'Full name', hint: 'In full', group: '' },
    ]);
    expect(haveSameOverrides(['Sum'], said, extractOverrides(HELP))).toBe(true);
    expect(haveSameOverrides(['Sum'], said, {})).toBe(false);
  });
});
