import type { FieldHelp } from '@/api/types';

/** Consecutive fields under one heading; an empty heading means none. */
export interface FieldGroup {
  group: string;
  /** The name of the first field, because a heading may appear twice. */
  first: string;
  members: FieldHelp[];
}

/** Splits the fields, in their order, where another heading begins. */
export function groupsOf(help: readonly FieldHelp[]): FieldGroup[] {
  const groups: FieldGroup[] = [];
  for (const one of help) {
    const { field, group = '' } = one;
    const last = groups.at(-1);
    if (last?.group === group) last.members.push(one);
    else groups.push({ group, first: field, members: [one] });
  }
  return groups;
}
