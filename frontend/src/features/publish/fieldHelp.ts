import type { Derivation, FieldHelp, SaidHelp, ValueKind } from '@/api/types';

/** What an admin says of a field; what is not here, he does not say. */
interface SaidParts {
  label?: string;
  hint?: string;
  example?: string;
  group?: string;
  kind?: ValueKind;
  choices?: string[];
  derivation?: Derivation;
}

/** The same of fields by their names. */
export type Said = Record<string, SaidParts>;

/** The parts of what helps that can be said, each by itself. */
export type Part = keyof SaidParts;
const PARTS = [
  'label',
  'hint',
  'example',
  'group',
  'kind',
  'choices',
  'derivation',
] as const satisfies readonly Part[];

/** What admins have said of fields, of all that their form shows. */
export function saidOf(help: readonly FieldHelp[]): Said {
  const entries = help.flatMap((shown): [string, SaidParts][] => {
    const parts = shown.said ?? [];
    if (parts.length === 0) return [];
    const all = { label: '', hint: '', example: '', group: '', choices: [], ...shown };
    return [[shown.field, Object.fromEntries(parts.map((part) => [part, all[part]]))]];
  });
  return Object.fromEntries(entries);
}

/** The same, with one part of one field said otherwise; undefined: not said any more. */
export function say<Name extends Part>(
  said: Said,
  field: string,
  part: Name,
  value: SaidParts[Name] | undefined,
): Said {
  const own = Object.hasOwn(said, field) ? (said[field] ?? {}) : {};
  const others: SaidParts = Object.fromEntries(Object.entries(own).filter(([name]) => name !== part));
  const next = value === undefined ? others : { ...others, [part]: value };
  const rest = Object.fromEntries(Object.entries(said).filter(([name]) => name !== field));
  return Object.keys(next).length > 0 ? { ...rest, [field]: next } : rest;
}

/** Nothing said of a field any more. */
export function unsay(said: Said, field: string): Said {
  return Object.fromEntries(Object.entries(said).filter(([name]) => name !== field));
}

/** What was said, by the names that fields have now: `renamed` leads from the old ones to the new. */
export function carried(said: Said, renamed: Record<string, string>): Said {
  const now = (field: string) => (Object.hasOwn(renamed, field) ? (renamed[field] ?? field) : field);
  const made = (derivation: Derivation): Derivation =>
    derivation.kind === 'sum'
      ? { ...derivation, of: derivation.of.map(now) }
      : { ...derivation, of: now(derivation.of) };
  return Object.fromEntries(
    Object.entries(said).map(([field, help]) => [
      now(field),
      help.derivation ? { ...help, derivation: made(help.derivation) } : help,
    ]),
  );
}

/** A field as the form will show it: what is said of it, else what is guessed. */
export function shown(guess: FieldHelp, said: Said): FieldHelp {
  const own = Object.hasOwn(said, guess.field) ? (said[guess.field] ?? {}) : {};
  return { ...guess, ...own, said: PARTS.filter((part) => own[part] !== undefined) };
}

/** What alone is guessed of fields, where admins have said something too. */
export function guessesOf(help: readonly FieldHelp[]): FieldHelp[] {
  return help.map(({ field, kind, label, group, choices, said = [], guessed }) => {
    const guess: FieldHelp = { field, kind: said.includes('kind') ? 'text' : kind };
    if (label && !said.includes('label')) guess.label = label;
    if (group && !said.includes('group')) guess.group = group;
    if (choices && !said.includes('choices')) guess.choices = choices;
    const known = Object.entries(guessed ?? {}).filter(([, value]) => value !== null);
    return { ...guess, ...(Object.fromEntries(known) as SaidParts) };
  });
}

/** What is sent: of fields there are, in their order. */
export function toSend(fields: readonly string[], said: Said): SaidHelp[] {
  return fields.filter((field) => Object.hasOwn(said, field)).map((field) => ({ ...said[field], field }));
}

/** Whether the same is said of the same fields. */
export function isSaidSame(fields: readonly string[], one: Said, other: Said): boolean {
  const parts = (said: Said) =>
    JSON.stringify(toSend(fields, said).map((help) => [help.field, ...PARTS.map((part) => help[part])]));
  return parts(one) === parts(other);
}
