import type { FieldHelp } from '@/api/types';

/** Fields that stand under one heading; an empty one: under none. */
export interface FieldGroup {
  group: string;
  /** The name of the first: a heading may come twice. */
  first: string;
  members: FieldHelp[];
}

/** The fields in their order, cut where another heading begins. */
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
