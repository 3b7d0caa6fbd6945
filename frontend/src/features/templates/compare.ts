import type { TemplateVersion } from '@/api/types';

type Fields = Pick<TemplateVersion, 'fields' | 'renamed'> & Partial<Pick<TemplateVersion, 'fieldHelp'>>;

/**
 * Returns a field's settings as text, without detected labels and headings, because these follow the names and
 * headings of the file.
 */
function helpOf({ fieldHelp = [] }: Fields, name: string): string {
  const help = fieldHelp.find(({ field }) => field === name);
  const { label, hint, example, group, kind, choices, said = [] } = help ?? {};
  return JSON.stringify([
    said.includes('label') && label,
    said.includes('group') && group,
    [hint, example, kind, choices],
  ]);
}

/** Compares the fields of a version with those of the last of the later versions, in their order. */
export function compared(from: Fields, after: readonly Fields[]) {
  const last = after.at(-1) ?? from;
  /** The fields with their names in the last version, if they still exist. */
  const followed = from.fields.map((field): [string, string] => {
    const now = after.reduce(
      (name, { renamed }) => renamed.find((change) => change.from === name)?.to ?? name,
      field,
    );
    return [field, now];
  });
  const there = followed.filter(([, now]) => last.fields.includes(now));
  return {
    renamed: there.filter(([old, now]) => old !== now).map(([old, now]) => ({ from: old, to: now })),
    /** The fields with changed settings, by their names in the last version. */
    described: there.filter(([old, now]) => helpOf(from, old) !== helpOf(last, now)).map(([, now]) => now),
    added: last.fields.filter((field) => !there.some(([, now]) => now === field)),
    dropped: followed.filter(([, now]) => !last.fields.includes(now)).map(([old]) => old),
  };
}
