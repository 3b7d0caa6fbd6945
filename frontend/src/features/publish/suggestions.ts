import type { FieldSettings, SuggestedDerivation } from '@/shared/fields/fieldSettings';

import { overridesOf, setColumnOverrides, setOverride, type OverridesByField } from './fieldSettings';

/** The end of a list's name in a path, such as `items[].total`. It cannot occur in a field's name. */
const OF_LIST = '[].';

/** Returns the suggestions for fields and columns that exist and have no derivation yet. */
export function openSuggestions(
  suggestions: readonly SuggestedDerivation[],
  fields: readonly FieldSettings[],
): SuggestedDerivation[] {
  return suggestions.filter(({ path }) => {
    const names = path.split(OF_LIST);
    const field = names.reduce<Pick<FieldSettings, 'columns' | 'derivation'> | undefined>(
      (level, name) => level?.columns?.find((one) => one.field === name),
      { columns: [...fields] },
    );
    return field !== undefined && !field.derivation;
  });
}

/** Returns the derivation that is suggested for a field of this level. */
export function suggestionOf(suggestions: readonly SuggestedDerivation[], field: string) {
  return suggestions.find(({ path }) => path === field)?.derivation;
}

/** Returns the suggestions for the columns of a list, with paths that begin there. */
export function suggestionsOfColumns(
  suggestions: readonly SuggestedDerivation[],
  list: string,
): SuggestedDerivation[] {
  const start = `${list}${OF_LIST}`;
  return suggestions
    .filter(({ path }) => path.startsWith(start))
    .map(({ path, derivation }) => ({ path: path.slice(start.length), derivation }));
}

/** Returns the overrides with all these derivations. */
export function applySuggestions(
  overrides: OverridesByField,
  suggestions: readonly SuggestedDerivation[],
): OverridesByField {
  return suggestions.reduce((now, { path, derivation }) => {
    const [field = '', ...rest] = path.split(OF_LIST);
    if (rest.length === 0) return setOverride(now, field, 'derivation', derivation);
    const ofColumns = overridesOf(now, field).columns ?? {};
    return setColumnOverrides(
      now,
      field,
      applySuggestions(ofColumns, [{ path: rest.join(OF_LIST), derivation }]),
    );
  }, overrides);
}
