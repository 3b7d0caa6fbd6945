import type { Derivation, FieldHelp } from '@/api/types';
import type { Making } from '@/shared/pages/messages';

/** Returns the derivations of a template's fields, or null if it has none. */
export function makingOf(
  help: readonly Pick<FieldHelp, 'field' | 'derivation'>[],
  language: string,
  country: string | null,
): Making | null {
  const made = help.flatMap(({ field, derivation }): [string, Derivation][] =>
    derivation ? [[field, derivation]] : [],
  );
  return made.length > 0 ? { derivations: Object.fromEntries(made), language, country } : null;
}

/** Returns the source fields of a derivation. */
export function sourcesOf({ of }: Derivation): string[] {
  return typeof of === 'string' ? [of] : of;
}
