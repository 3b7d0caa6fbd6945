import type { TemplateVersion } from '@/api/types';

type VersionFields = Pick<TemplateVersion, 'fields' | 'renamed'> &
  Partial<Pick<TemplateVersion, 'fieldHelp'>>;

/**
 * Returns a field's settings as text, without detected labels and headings, because these follow the names and
 * headings of the file.
 */
function settingsText({ fieldHelp = [] }: VersionFields, name: string): string {
  const settings = fieldHelp.find(({ field }) => field === name);
  const { label, hint, example, group, kind, choices, said = [] } = settings ?? {};
  return JSON.stringify([
    said.includes('label') && label,
    said.includes('group') && group,
    [hint, example, kind, choices],
  ]);
}

/** Compares the fields of a version with those of the last of the later versions, in their order. */
export function compareVersions(from: VersionFields, laterVersions: readonly VersionFields[]) {
  const last = laterVersions.at(-1) ?? from;
  /** The fields with their names in the last version, if they still exist. */
  const withLastNames = from.fields.map((field): [string, string] => {
    const now = laterVersions.reduce(
      (name, { renamed }) => renamed.find((change) => change.from === name)?.to ?? name,
      field,
    );
    return [field, now];
  });
  const remaining = withLastNames.filter(([, now]) => last.fields.includes(now));
  return {
    renamed: remaining.filter(([old, now]) => old !== now).map(([old, now]) => ({ from: old, to: now })),
    /** The fields with changed settings, by their names in the last version. */
    changed: remaining
      .filter(([old, now]) => settingsText(from, old) !== settingsText(last, now))
      .map(([, now]) => now),
    added: last.fields.filter((field) => !remaining.some(([, now]) => now === field)),
    dropped: withLastNames.filter(([, now]) => !last.fields.includes(now)).map(([old]) => old),
  };
}
