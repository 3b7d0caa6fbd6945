import type { FieldSettings } from './fieldSettings';

/** The fields under one heading; an empty heading means none. */
export interface FieldGroup {
  group: string;
  /** The name of the first field, because fields without a heading may be in several places. */
  firstField: string;
  settings: FieldSettings[];
}

/**
 * Groups the fields by heading, in their order. Each heading appears once, where its first field is, also if other fields
 * lie between its fields. Fields without a heading stay in their places.
 */
export function groupFields(settings: readonly FieldSettings[]): FieldGroup[] {
  const groups: FieldGroup[] = [];
  const byHeading = new Map<string, FieldGroup>();
  for (const one of settings) {
    const { field, group = '' } = one;
    const last = groups.at(-1);
    const known = group === '' ? (last?.group === '' ? last : undefined) : byHeading.get(group);
    if (known) {
      known.settings.push(one);
      continue;
    }
    const added = { group, firstField: field, settings: [one] };
    groups.push(added);
    byHeading.set(group, added);
  }
  return groups;
}
