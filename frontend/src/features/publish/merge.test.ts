import { describe, expect, it } from 'vitest';

import type { FieldSettings } from '@/api/types';

import { EMPTY_TEMPLATE_DRAFT, type TemplateDraft } from './templateDraft';
import type { OverridesByField } from './fieldSettings';
import { findDifferences, mergeSides, type ConflictSide } from './merge';

const GUESSES: FieldSettings[] = [
  { field: 'Name', kind: 'text' },
  { field: 'Sum', kind: 'amount', hint: 'Detected' },
];
const createSide = (
  draft: Partial<TemplateDraft>,
  overrides: OverridesByField = {},
  detected = GUESSES,
): ConflictSide => ({
  draft: { ...EMPTY_TEMPLATE_DRAFT, title: 'Lease', categories: 'legal,', ...draft },
  overrides,
  detected,
});
const proposedSides = (base: ConflictSide, mine: ConflictSide, theirs: ConflictSide) =>
  findDifferences(base, mine, theirs).map(({ id, proposed }) => [id, proposed]);

describe('findDifferences', () => {
  it('returns nothing if both sides are equal', () => {
    const both = createSide({ title: 'Both' }, { Name: { hint: 'x' } });
    expect(
      findDifferences(createSide({}), both, { ...both, draft: { ...both.draft, categories: 'legal' } }),
    ).toEqual([]);
    expect(findDifferences(createSide({}), createSide({}, { Name: { hint: '' } }), createSide({}))).toEqual(
      [],
    );
  });

  it('returns a hint that only the other admin has changed, and proposes theirs', () => {
    expect(
      proposedSides(createSide({}), createSide({}), createSide({}, { Name: { hint: 'Theirs' } })),
    ).toEqual([['hint Name', 'theirs']]);
  });

  it('returns each setting separately, and proposes mine if both have changed it', () => {
    const mine = createSide({ title: 'Mine', language: 'fr' }, { Sum: { hint: 'Mine', kind: 'text' } });
    const theirs = createSide(
      { title: 'Theirs', country: 'TN' },
      { Sum: { hint: 'Theirs', choices: ['a'] }, Name: { label: 'Full name' } },
    );
    expect(proposedSides(createSide({}), mine, theirs)).toEqual([
      ['title', 'mine'],
      ['language', 'mine'],
      ['country', 'theirs'],
      ['label Name', 'theirs'],
      ['hint Sum', 'mine'],
      ['kind Sum', 'mine'],
      ['choices Sum', 'theirs'],
    ]);
  });

  it('compares derivations in any order of their properties', () => {
    const of = (derivation: object) => createSide({}, { Sum: { derivation } } as OverridesByField);
    const one = { kind: 'sum', of: ['Name'], currency: 'TND' };
    expect(
      proposedSides(createSide({}), of(one), of({ currency: 'TND', of: ['Name'], kind: 'sum' })),
    ).toEqual([]);
    expect(proposedSides(createSide({}), of(one), of({ ...one, of: ['Other'] }))).toEqual([
      ['derivation Sum', 'mine'],
    ]);
  });
});

describe('the merged state', () => {
  const mine = createSide({ title: 'Mine' }, { Name: { hint: 'Mine', label: 'L' }, Sum: { hint: 'S' } });
  const theirs = createSide(
    { title: 'Theirs', keywords: 'rent' },
    { Name: { hint: 'Theirs', example: 'E' } },
  );
  const found = findDifferences(createSide({}), mine, theirs);

  it('has my changes, and those that only the other admin has made', () => {
    expect(mergeSides(mine, theirs, found, {})).toEqual({
      draft: { ...mine.draft, keywords: 'rent' },
      overrides: { Name: { hint: 'Mine', label: 'L', example: 'E' }, Sum: { hint: 'S' } },
    });
  });

  it('follows each choice', () => {
    const all = Object.fromEntries(found.map(({ id }) => [id, 'theirs' as const]));
    expect(mergeSides(mine, theirs, found, all)).toEqual({
      draft: theirs.draft,
      overrides: theirs.overrides,
    });
    const none = Object.fromEntries(found.map(({ id }) => [id, 'mine' as const]));
    expect(mergeSides(mine, theirs, found, none)).toEqual({ draft: mine.draft, overrides: mine.overrides });
  });

  it('has a setting that only the other file makes detected as an override', () => {
    const other = createSide({}, {}, [{ field: 'Name', kind: 'text', hint: 'Of the new file' }]);
    const own = createSide({}, {}, [{ field: 'Name', kind: 'text' }]);
    expect(mergeSides(own, other, findDifferences(own, own, other), {}).overrides).toEqual({
      Name: { hint: 'Of the new file' },
    });
  });
});
