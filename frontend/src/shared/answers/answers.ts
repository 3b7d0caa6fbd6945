import type { Answer, FieldHelp, Meaning, Party } from '@/api/types';
import { isBlank, valueOf } from '@/shared/drafts';
import { fold } from '@/shared/fold';

/** A saved answer that can be offered again. */
export interface Known {
  meaning: Meaning;
  value: string;
  /** The parties that it was used for, the latest first. */
  parties: Party[];
}

/** The server's limits for an account (`known_answers.rs`). */
const LONGEST = 200;
const MOST_LINES = 5;
const MOST_OF_A_MEANING = 12;
const MOST = 100;

/** The maximum number of answers that are offered at once. */
const MOST_OFFERED = 6;

/** Returns a value as it is saved, or null if it cannot be: one line, or up to five for an address. */
function kept(meaning: Meaning, value: string): string | null {
  const lines = value
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => !isBlank(line));
  const most = meaning === 'street-address' ? MOST_LINES : 1;
  const text = lines.join('\n');
  return lines.length > 0 && lines.length <= most && [...text].length <= LONGEST ? text : null;
}

/** Returns the values of a form that can be offered again. */
export function filledIn(help: readonly FieldHelp[], values: Record<string, string>): Answer[] {
  return help.flatMap(({ field, meaning, party }) => {
    const value = meaning && kept(meaning, valueOf(values, field));
    return value ? [{ meaning, value, ...(party && { party }) }] : [];
  });
}

/** Adds answers to `known`: the most recent first, without repetitions. The oldest are dropped above the limits. */
export function added(known: readonly Known[], answers: readonly Answer[]): Known[] {
  let all = [...known];
  // Added in reverse, so that they end up in their order.
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

/** Names of people and companies of the same party are offered for each other. */
const ALSO: Partial<Record<Meaning, Meaning>> = { name: 'organization', organization: 'name' };

/**
 * Returns the answers to offer at a field that contains `typed`: those of the same party first, then by recent use.
 */
export function offered(known: readonly Known[], { meaning, party }: FieldHelp, typed: string): string[] {
  if (!meaning || typed.includes('\n')) return [];
  const fits = ({ parties }: Known) => (party ? parties.includes(party) : parties.length === 0);
  const same = known.filter((one) => one.meaning === meaning);
  const also = known.filter((one) => one.meaning === ALSO[meaning] && party && fits(one));
  const ranked = [...same.filter(fits), ...same.filter((one) => !fits(one)), ...also];
  const wanted = fold(typed);
  const values = ranked
    .map(({ value }) => value)
    // The current value is not offered.
    .filter((value) => fold(value).includes(wanted) && value !== typed);
  const once = new Map(values.reverse().map((value) => [fold(value), value]));
  return [...once.values()].reverse().slice(0, MOST_OFFERED);
}

/** Returns saved answers as they are sent: one for each party. */
export function toSend(known: readonly Known[]): Answer[] {
  return known.flatMap(({ meaning, value, parties }) =>
    parties.length > 0 ? parties.map((party) => ({ meaning, value, party })) : [{ meaning, value }],
  );
}
