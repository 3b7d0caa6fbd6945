import type { FieldSettings } from './fieldSettings';

/** Consecutive fields under one heading; an empty heading means none. */
export interface FieldGroup {
  group: string;
  /** The name of the first field, because a heading may appear twice. */
  firstField: string;
  settings: FieldSettings[];
}

/** Splits the fields, in their order, where another heading begins. */
export function groupFields(settings: readonly FieldSettings[]): FieldGroup[] {
  const groups: FieldGroup[] = [];
  for (const one of settings) {
    const { field, group = '' } = one;
    const last = groups.at(-1);
    if (last?.group === group) last.settings.push(one);
    else groups.push({ group, firstField: field, settings: [one] });
  }
  return groups;
}
