import type { Answer, FieldHelp, Meaning, Party } from '@/api/types';
import { isBlank, valueOf } from '@/shared/drafts';
import { fold } from '@/shared/fold';

/** What somebody has filled in and is offered again. */
export interface Known {
  meaning: Meaning;
  value: string;
  /** Whom it was given for, the latest first. */
  parties: Party[];
}

/** As the server bounds an account's (`known_answers.rs`). */
const LONGEST = 200;
const MOST_LINES = 5;
const MOST_OF_A_MEANING = 12;
const MOST = 100;

/** Answers that are offered at once. */
const MOST_OFFERED = 6;

/** A value as it is kept, or null where it cannot be: one line, of an address up to five. */
function kept(meaning: Meaning, value: string): string | null {
  const lines = value
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => !isBlank(line));
  const most = meaning === 'street-address' ? MOST_LINES : 1;
  const text = lines.join('\n');
  return lines.length > 0 && lines.length <= most && [...text].length <= LONGEST ? text : null;
}

/** What a form's values say that can be offered again. */
export function filledIn(help: readonly FieldHelp[], values: Record<string, string>): Answer[] {
  return help.flatMap(({ field, meaning, party }) => {
    const value = meaning && kept(meaning, valueOf(values, field));
    return value ? [{ meaning, value, ...(party && { party }) }] : [];
  });
}

/** `known` with what was filled in now: what was used last comes first, the same once, the oldest make room. */
export function added(known: readonly Known[], answers: readonly Answer[]): Known[] {
  let all = [...known];
  // The last first, so that they stand in their order.
  for (const { meaning, party, value } of [...answers].reverse()) {
    const same = (other: Known) => other.meaning === meaning && fold(other.value) === fold(value);
    const before = all.find(same)?.parties ?? [];
    const parties = party ? [party, ...before.filter((other) => other !== party)] : before;
    all = [{ meaning, value, parties }, ...all.filter((other) => !same(other))];
    let ofMeaning = 0;
    all = all.filter((other) => other.meaning !== meaning || (ofMeaning += 1) <= MOST_OF_A_MEANING);
  }
  return all.slice(0, MOST);
}

/** What a party is called is a name or a company's: either is offered for the other where it is the same party's. */
const ALSO: Partial<Record<Meaning, Meaning>> = { name: 'organization', organization: 'name' };

/** What is offered at a field where `typed` stands: of the same party first, then by use. */
export function offered(known: readonly Known[], { meaning, party }: FieldHelp, typed: string): string[] {
  if (!meaning || typed.includes('\n')) return [];
  const fits = ({ parties }: Known) => (party ? parties.includes(party) : parties.length === 0);
  const same = known.filter((one) => one.meaning === meaning);
  const also = known.filter((one) => one.meaning === ALSO[meaning] && party && fits(one));
  const ranked = [...same.filter(fits), ...same.filter((one) => !fits(one)), ...also];
  const wanted = fold(typed);
  const values = ranked
    .map(({ value }) => value)
    // What stands there already is not offered.
    .filter((value) => fold(value).includes(wanted) && value !== typed);
  const once = new Map(values.reverse().map((value) => [fold(value), value]));
  return [...once.values()].reverse().slice(0, MOST_OFFERED);
}

/** Known answers as they are sent: one for each party. */
export function toSend(known: readonly Known[]): Answer[] {
  return known.flatMap(({ meaning, value, parties }) =>
    parties.length > 0 ? parties.map((party) => ({ meaning, value, party })) : [{ meaning, value }],
  );
}
