import type { FieldHelp } from '@/api/types';

import { listToSend } from './categories';
import type { Draft } from './draft';
import { PARTS, say, shown, type Part, type Said } from './fieldHelp';

/** The state of a template on one side of a conflict. */
export interface Side {
  draft: Draft;
  /** The overrides of field settings, and the detected settings. */
  said: Said;
  guesses: readonly FieldHelp[];
}

export type Choice = 'mine' | 'theirs';

/** A setting that differs between this edit and the newest state of the template. */
export type Difference = {
  id: string;
  /** The side that has changed it since this edit began: theirs, unless this edit has changed it too. */
  proposed: Choice;
} & (
  | { kind: 'setting'; setting: keyof Draft; mine: string | null; theirs: string | null }
  | { kind: 'field'; field: string; part: Part; mine: unknown; theirs: unknown }
);

const SETTINGS = [
  'title',
  'categories',
  'keywords',
  'language',
  'country',
] as const satisfies readonly (keyof Draft)[];

/** Returns a setting without differences that the server ignores, such as a comma at the end of a list. */
function plain(draft: Draft, setting: keyof Draft): string {
  const value = draft[setting] ?? '';
  return setting === 'categories' || setting === 'keywords' ? listToSend(value) : value.trim();
}

function helpOf({ guesses, said }: Side, field: string): FieldHelp | null {
  const guess = guesses.find((one) => one.field === field);
  return guess ? shown(guess, said) : null;
}

/** Returns a field's setting as a comparable value; an empty one equals a missing one. */
function comparable(help: FieldHelp | null, part: Part): string {
  const value = help?.[part];
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    ? ''
    : JSON.stringify(value, Object.keys(Object(value) as object).sort());
}

/** Returns everything that differs between both sides, in the order of the form. `base` is the state before both. */
export function differences(base: Side, mine: Side, theirs: Side): Difference[] {
  const settings = SETTINGS.filter(
    (setting) => plain(mine.draft, setting) !== plain(theirs.draft, setting),
  ).map((setting): Difference => ({
    id: setting,
    kind: 'setting',
    setting,
    proposed: plain(mine.draft, setting) === plain(base.draft, setting) ? 'theirs' : 'mine',
    mine: mine.draft[setting],
    theirs: theirs.draft[setting],
  }));
  const fields = mine.guesses.flatMap(({ field }) => {
    const [own, other, before] = [mine, theirs, base].map((side) => helpOf(side, field));
    // A field that only one side has comes with its file.
    if (!own || !other) return [];
    return PARTS.filter((part) => comparable(own, part) !== comparable(other, part)).map(
      (part): Difference => ({
        id: `${part} ${field}`,
        kind: 'field',
        field,
        part,
        proposed: comparable(own, part) === comparable(before ?? null, part) ? 'theirs' : 'mine',
        mine: own[part],
        theirs: other[part],
      }),
    );
  });
  return [...settings, ...fields];
}

/** Returns the merged state: of each difference the chosen side, else the proposed one. */
export function merged(
  mine: Side,
  theirs: Side,
  found: readonly Difference[],
  choices: Readonly<Record<string, Choice>>,
): { draft: Draft; said: Said } {
  let { draft, said } = mine;
  for (const difference of found) {
    if ((choices[difference.id] ?? difference.proposed) === 'mine') continue;
    if (difference.kind === 'setting') draft = { ...draft, [difference.setting]: difference.theirs };
    else said = taken(said, mine, theirs, difference);
  }
  return { draft, said };
}

function taken(said: Said, mine: Side, theirs: Side, { field, part }: { field: string; part: Part }): Said {
  const override = Object.hasOwn(theirs.said, field) ? theirs.said[field]?.[part] : undefined;
  if (override !== undefined) return say(said, field, part, override);
  const [own, other] = [mine, theirs].map(({ guesses }) => guesses.find((guess) => guess.field === field));
  // What both sides detect needs no override; what only the other side detects becomes one.
  const same = comparable(own ?? null, part) === comparable(other ?? null, part);
  return say(said, field, part, same ? undefined : (other?.[part] ?? undefined));
}
