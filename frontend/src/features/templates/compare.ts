import type { TemplateVersion } from '@/api/types';

type Fields = Pick<TemplateVersion, 'fields' | 'renamed'>;

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
    added: last.fields.filter((field) => !there.some(([, now]) => now === field)),
    dropped: followed.filter(([, now]) => !last.fields.includes(now)).map(([old]) => old),
  };
}
