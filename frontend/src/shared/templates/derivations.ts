import type { Derivation, FieldSettings } from '@/api/types';
import type { TemplateDerivations } from '@/shared/pages/messages';

/** Returns the derivations of a template's fields, or null if it has none. */
export function templateDerivations(
  settings: readonly Pick<FieldSettings, 'field' | 'derivation'>[],
  language: string,
  country: string | null,
): TemplateDerivations | null {
  const derived = settings.flatMap(({ field, derivation }): [string, Derivation][] =>
    derivation ? [[field, derivation]] : [],
  );
  return derived.length > 0 ? { derivations: Object.fromEntries(derived), language, country } : null;
}

/** Returns the source fields of a derivation. */
export function sourceFields({ of }: Derivation): string[] {
  return typeof of === 'string' ? [of] : of;
}
