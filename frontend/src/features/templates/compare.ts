import type { TemplateVersion } from '@/api/types';

type Fields = Pick<TemplateVersion, 'fields' | 'renamed'> & Partial<Pick<TemplateVersion, 'fieldHelp'>>;

/** What the form shows of a field, but for labels and headings that are guessed: they follow names and headings of the file. */
function helpOf({ fieldHelp = [] }: Fields, name: string): string {
  const help = fieldHelp.find(({ field }) => field === name);
  const { label, hint, example, group, kind, choices, said = [] } = help ?? {};
  return JSON.stringify([
    said.includes('label') && label,
    said.includes('group') && group,
    [hint, example, kind, choices],
  ]);
}

/** What became of the fields of a version in the last of those that came after it, in their order. */
export function compared(from: Fields, after: readonly Fields[]) {
  const last = after.at(-1) ?? from;
  /** Each field by its name there, where it is still there. */
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
    /** By their names there. */
    described: there.filter(([old, now]) => helpOf(from, old) !== helpOf(last, now)).map(([, now]) => now),
    added: last.fields.filter((field) => !there.some(([, now]) => now === field)),
    dropped: followed.filter(([, now]) => !last.fields.includes(now)).map(([old]) => old),
  };
}
