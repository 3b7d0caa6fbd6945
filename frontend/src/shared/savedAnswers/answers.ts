import type { AnswerInput, FieldSettings, Meaning, Party } from '@/api/types';
import { isBlank, textValue, type FieldValues } from '@/shared/fields/values';
import { foldForSearch } from '@/shared/foldForSearch';

/** A saved answer that can be offered again. */
export interface SavedAnswer {
  meaning: Meaning;
  value: string;
  /** The parties that it was used for, the latest first. */
  parties: Party[];
}

/** The server's limits for an account (crates/core/src/saved_answers.rs). */
const MAX_CHARACTERS = 200;
const MAX_ADDRESS_LINES = 5;
const MAX_ANSWERS_PER_MEANING = 12;
const MAX_ANSWERS = 100;

/** The maximum number of answers that are offered at once. */
const MAX_OFFERED = 6;

/** Returns a value as it is saved, or null if it cannot be: one line, or up to five for an address. */
function normalizeAnswer(meaning: Meaning, value: string): string | null {
  const lines = value
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => !isBlank(line));
  const maxLines = meaning === 'street-address' ? MAX_ADDRESS_LINES : 1;
  const text = lines.join('\n');
  return lines.length > 0 && lines.length <= maxLines && [...text].length <= MAX_CHARACTERS ? text : null;
}

/** Returns the texts of a form that can be offered again. Lists, yes/no answers and pictures are not offered. */
export function answersFromForm(
  settings: readonly Pick<FieldSettings, 'field' | 'meaning' | 'party'>[],
  values: FieldValues,
): AnswerInput[] {
  return settings.flatMap(({ field, meaning, party }) => {
    const value = meaning && normalizeAnswer(meaning, textValue(values, field));
    return value ? [{ meaning, value, ...(party && { party }) }] : [];
  });
}

/** Adds answers to `saved`: the most recent first, without repetitions. The oldest are dropped above the limits. */
export function addAnswers(saved: readonly SavedAnswer[], answers: readonly AnswerInput[]): SavedAnswer[] {
  let all = [...saved];
  // Added in reverse, so that they end up in their order.
  for (const { meaning, party, value } of [...answers].reverse()) {
    const isSame = (other: SavedAnswer) =>
      other.meaning === meaning && foldForSearch(other.value) === foldForSearch(value);
    const previousParties = all.find(isSame)?.parties ?? [];
    const parties = party ? [party, ...previousParties.filter((other) => other !== party)] : previousParties;
    all = [{ meaning, value, parties }, ...all.filter((other) => !isSame(other))];
    let countOfMeaning = 0;
    all = all.filter(
      (other) => other.meaning !== meaning || (countOfMeaning += 1) <= MAX_ANSWERS_PER_MEANING,
    );
  }
  return all.slice(0, MAX_ANSWERS);
}

/** The meaning whose answers of the same party are offered too: names of people for companies, and vice versa. */
const ALSO_OFFERED: Partial<Record<Meaning, Meaning>> = { name: 'organization', organization: 'name' };

/**
 * Returns the answers to offer at a field that contains `typed`: those of the same party first, then by recent use.
 */
export function offeredAnswers(
  saved: readonly SavedAnswer[],
  { meaning, party }: Pick<FieldSettings, 'meaning' | 'party'>,
  typed: string,
): string[] {
  if (!meaning || typed.includes('\n')) return [];
  const fitsParty = ({ parties }: SavedAnswer) => (party ? parties.includes(party) : parties.length === 0);
  const ofSameMeaning = saved.filter((one) => one.meaning === meaning);
  const ofRelatedMeaning = saved.filter(
    (one) => one.meaning === ALSO_OFFERED[meaning] && party && fitsParty(one),
  );
  const ranked = [
    ...ofSameMeaning.filter(fitsParty),
    ...ofSameMeaning.filter((one) => !fitsParty(one)),
    ...ofRelatedMeaning,
  ];
  const searched = foldForSearch(typed);
  const values = ranked
    .map(({ value }) => value)
    // The current value is not offered.
    .filter((value) => foldForSearch(value).includes(searched) && value !== typed);
  const unique = new Map(values.reverse().map((value) => [foldForSearch(value), value]));
  return [...unique.values()].reverse().slice(0, MAX_OFFERED);
}

/** Returns saved answers as they are sent: one for each party. */
export function toAnswerInputs(saved: readonly SavedAnswer[]): AnswerInput[] {
  return saved.flatMap(({ meaning, value, parties }) =>
    parties.length > 0 ? parties.map((party) => ({ meaning, value, party })) : [{ meaning, value }],
  );
}
