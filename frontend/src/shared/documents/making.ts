import type { Derivation, FieldHelp } from '@/api/types';
import type { Making } from '@/shared/pages/messages';

/** How fields of a template are made of others; null: none is. */
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

/** The fields that one is made of. */
export function sourcesOf({ of }: Derivation): string[] {
  return typeof of === 'string' ? [of] : of;
}
