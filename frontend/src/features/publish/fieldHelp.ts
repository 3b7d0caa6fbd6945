import type { Derivation, FieldHelp, SaidHelp, ValueKind } from '@/api/types';

/** The overrides that an admin has set for a field. A missing part is not overridden. */
interface SaidParts {
  label?: string;
  hint?: string;
  example?: string;
  group?: string;
  kind?: ValueKind;
  choices?: string[];
  derivation?: Derivation;
}

/** The overrides by field name. */
export type Said = Record<string, SaidParts>;

/** The settings that can be overridden, each by itself. */
export type Part = keyof SaidParts;
export const PARTS = [
  'label',
  'hint',
  'example',
  'group',
  'kind',
  'choices',
  'derivation',
] as const satisfies readonly Part[];

/** Returns the overrides among the settings that the form shows. */
export function saidOf(help: readonly FieldHelp[]): Said {
  const entries = help.flatMap((shown): [string, SaidParts][] => {
    const parts = shown.said ?? [];
    if (parts.length === 0) return [];
    const all = { label: '', hint: '', example: '', group: '', choices: [], ...shown };
    return [[shown.field, Object.fromEntries(parts.map((part) => [part, all[part]]))]];
  });
  return Object.fromEntries(entries);
}

/** Returns the overrides with one setting of one field changed; undefined removes its override. */
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

/** Returns the overrides without those of one field. */
export function unsay(said: Said, field: string): Said {
  return Object.fromEntries(Object.entries(said).filter(([name]) => name !== field));
}

/** Returns the overrides under the new field names. `renamed` maps old names to new ones. */
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

/** Returns detected settings under the new field names. */
export function carriedHelp(help: readonly FieldHelp[], renamed: Record<string, string>): FieldHelp[] {
  return help.map((one) => ({
    ...one,
    field: Object.hasOwn(renamed, one.field) ? (renamed[one.field] ?? one.field) : one.field,
  }));
}

/** Returns a field's settings as the form will show them: the override, or else the detected value. */
export function shown(guess: FieldHelp, said: Said): FieldHelp {
  const own = Object.hasOwn(said, guess.field) ? (said[guess.field] ?? {}) : {};
  return { ...guess, ...own, said: PARTS.filter((part) => own[part] !== undefined) };
}

/** Returns only the detected settings of fields that also have overrides. */
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

/** Returns the overrides to send, for existing fields in their order. */
export function toSend(fields: readonly string[], said: Said): SaidHelp[] {
  return fields.filter((field) => Object.hasOwn(said, field)).map((field) => ({ ...said[field], field }));
}

/** Returns true if both have the same overrides for these fields. */
export function isSaidSame(fields: readonly string[], one: Said, other: Said): boolean {
  const parts = (said: Said) =>
    JSON.stringify(toSend(fields, said).map((help) => [help.field, ...PARTS.map((part) => help[part])]));
  return parts(one) === parts(other);
}
