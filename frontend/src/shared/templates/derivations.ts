import type { FieldDerivation, FieldSettings } from '@/shared/fields/fieldSettings';
import type { TemplateDerivations } from '@/shared/pages/messages';

/** The settings that derivations are in. */
type DerivedSettings = Pick<FieldSettings, 'field' | 'derivation' | 'columns'>;

/** Returns the derivations of a template's fields, or null if it has none. */
export function templateDerivations(
  settings: readonly DerivedSettings[],
  language: string,
  country: string | null,
): TemplateDerivations | null {
  const derivations = Object.fromEntries(derivedFields(settings, ''));
  return Object.keys(derivations).length > 0 ? { derivations, language, country } : null;
}

/** Returns the derivation of each derived field. A column is named after its list: `items[].total`. */
function derivedFields(settings: readonly DerivedSettings[], before: string): [string, FieldDerivation][] {
  return settings.flatMap(({ field, derivation, columns }): [string, FieldDerivation][] => [
    ...(derivation ? [[before + field, derivation] as [string, FieldDerivation]] : []),
    ...derivedFields(columns ?? [], `${before}${field}[].`),
  ]);
}

/** Returns the fields or columns that a derivation reads, or the list that it is computed over. */
export function sourceFields(derivation: FieldDerivation): string[] {
  if ('list' in derivation) return [derivation.list];
  const { of } = derivation;
  return typeof of === 'string' ? [of] : of;
}
