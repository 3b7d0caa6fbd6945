import type { TemplateVersion } from '@/api/types';
import type { FieldSettings } from '@/shared/fields/fieldSettings';

type VersionFields = Pick<TemplateVersion, 'fields' | 'renamed'> & { fieldHelp?: FieldSettings[] };

/** The separator between the names of a list and its column. */
const OF_LIST = ' › ';

/**
 * Returns a field's settings as text, without detected labels and headings, because these follow the names and
 * headings of the file. The settings of columns are not included.
 */
function settingsText(settings: FieldSettings | undefined): string {
  const { label, hint, example, group, kind, choices, said = [] } = settings ?? {};
  const { minRows, maxRows, maxWidth, maxHeight } = settings ?? {};
  return JSON.stringify([
    said.includes('label') && label,
    said.includes('group') && group,
    [hint, example, kind, choices],
    [minRows, maxRows, maxWidth, maxHeight],
  ]);
}

/** Returns the settings of the fields, and of their columns after them, by name or path. */
function settingsByPath(
  settings: readonly FieldSettings[],
  newName: (field: string) => string,
): Map<string, FieldSettings> {
  return new Map(
    settings.flatMap((field): [string, FieldSettings][] => {
      const path = newName(field.field);
      // Columns keep their names.
      const columns = settingsByPath(field.columns ?? [], (column) => `${path}${OF_LIST}${column}`);
      return [[path, field], ...columns];
    }),
  );
}

/** Compares the fields of a version with those of the last of the later versions, in their order. */
export function compareVersions(from: VersionFields, laterVersions: readonly VersionFields[]) {
  const last = laterVersions.at(-1) ?? from;
  /** Returns a field's name in the last version, if it still exists. */
  const lastName = (field: string) =>
    laterVersions.reduce(
      (name, { renamed }) => renamed.find((change) => change.from === name)?.to ?? name,
      field,
    );
  const withLastNames = from.fields.map((field): [string, string] => [field, lastName(field)]);
  const remaining = withLastNames.filter(([, now]) => last.fields.includes(now));
  const before = settingsByPath(from.fieldHelp ?? [], lastName);
  const after = settingsByPath(last.fieldHelp ?? [], (field) => field);
  /** Returns the paths of the columns of a remaining field in one version. */
  const columnPaths = (settings: Map<string, FieldSettings>, field: string) =>
    [...settings.keys()].filter((path) => path.startsWith(`${field}${OF_LIST}`));
  const columns = remaining.map(([, now]) => ({
    before: columnPaths(before, now),
    after: columnPaths(after, now),
  }));
  const isChanged = (path: string) => settingsText(before.get(path)) !== settingsText(after.get(path));
  return {
    renamed: remaining.filter(([old, now]) => old !== now).map(([old, now]) => ({ from: old, to: now })),
    /** The fields and columns with changed settings, by their names in the last version. */
    changed: remaining.flatMap(([, now], at) => {
      const kept = columns[at]?.after.filter((path) => before.has(path)) ?? [];
      return [now, ...kept].filter(isChanged);
    }),
    added: [
      ...last.fields.filter((field) => !remaining.some(([, now]) => now === field)),
      ...columns.flatMap((ofField) => ofField.after.filter((path) => !before.has(path))),
    ],
    dropped: [
      ...withLastNames.filter(([, now]) => !last.fields.includes(now)).map(([old]) => old),
      ...columns.flatMap((ofField) => ofField.before.filter((path) => !after.has(path))),
    ],
  };
}
