import { describe, expect, it } from 'vitest';

import type { FieldHelp } from '@/api/types';

import { EMPTY, type Draft } from './draft';
import type { Said } from './fieldHelp';
import { differences, merged, type Side } from './merge';

const GUESSES: FieldHelp[] = [
  { field: 'Name', kind: 'text' },
  { field: 'Sum', kind: 'amount', hint: 'Detected' },
];
const side = (draft: Partial<Draft>, said: Said = {}, guesses = GUESSES): Side => ({
  draft: { ...EMPTY, title: 'Lease', categories: 'legal,', ...draft },
  said,
  guesses,
});
const ids = (base: Side, mine: Side, theirs: Side) =>
  differences(base, mine, theirs).map(({ id, proposed }) => [id, proposed]);

describe('what differs', () => {
  it('is nothing where both sides say the same', () => {
    const both = side({ title: 'Both' }, { Name: { hint: 'x' } });
    expect(differences(side({}), both, { ...both, draft: { ...both.draft, categories: 'legal' } })).toEqual(
      [],
    );
    expect(differences(side({}), side({}, { Name: { hint: '' } }), side({}))).toEqual([]);
  });

  it('names a hint that only the other admin has changed, and proposes theirs', () => {
    expect(ids(side({}), side({}), side({}, { Name: { hint: 'Theirs' } }))).toEqual([
      ['hint Name', 'theirs'],
    ]);
  });

  it('names each setting by itself: proposes mine where both have changed it', () => {
    const mine = side({ title: 'Mine', language: 'fr' }, { Sum: { hint: 'Mine', kind: 'text' } });
    const theirs = side(
      { title: 'Theirs', country: 'TN' },
      { Sum: { hint: 'Theirs', choices: ['a'] }, Name: { label: 'Full name' } },
    );
    expect(ids(side({}), mine, theirs)).toEqual([
      ['title', 'mine'],
      ['language', 'mine'],
      ['country', 'theirs'],
      ['label Name', 'theirs'],
      ['hint Sum', 'mine'],
      ['kind Sum', 'mine'],
      ['choices Sum', 'theirs'],
    ]);
  });

  it('compares derivations whatever the order of their parts', () => {
    const of = (derivation: object) => side({}, { Sum: { derivation } } as Said);
    const one = { kind: 'sum', of: ['Name'], currency: 'TND' };
    expect(ids(side({}), of(one), of({ currency: 'TND', of: ['Name'], kind: 'sum' }))).toEqual([]);
    expect(ids(side({}), of(one), of({ ...one, of: ['Other'] }))).toEqual([['derivation Sum', 'mine']]);
  });
});

describe('the merged state', () => {
  const mine = side({ title: 'Mine' }, { Name: { hint: 'Mine', label: 'L' }, Sum: { hint: 'S' } });
  const theirs = side({ title: 'Theirs', keywords: 'rent' }, { Name: { hint: 'Theirs', example: 'E' } });
  const found = differences(side({}), mine, theirs);

  it('keeps mine, and what only the other admin has changed', () => {
    expect(merged(mine, theirs, found, {})).toEqual({
      draft: { ...mine.draft, keywords: 'rent' },
      said: { Name: { hint: 'Mine', label: 'L', example: 'E' }, Sum: { hint: 'S' } },
    });
  });

  it('takes each choice', () => {
    const all = Object.fromEntries(found.map(({ id }) => [id, 'theirs' as const]));
    expect(merged(mine, theirs, found, all)).toEqual({ draft: theirs.draft, said: theirs.said });
    const none = Object.fromEntries(found.map(({ id }) => [id, 'mine' as const]));
    expect(merged(mine, theirs, found, none)).toEqual({ draft: mine.draft, said: mine.said });
  });

  it('takes what the other side’s file makes detected as an override', () => {
    const other = side({}, {}, [{ field: 'Name', kind: 'text', hint: 'Of the new file' }]);
    const own = side({}, {}, [{ field: 'Name', kind: 'text' }]);
    expect(merged(own, other, differences(own, own, other), {}).said).toEqual({
      Name: { hint: 'Of the new file' },
    });
  });
});
