import { renameSources } from '@/shared/templates/derivationSources';
import {
  isSectionKind,
  type FieldOverrides,
  type FieldSettings,
  type SettingName,
  type FieldKind,
} from '@/shared/fields/fieldSettings';

export const TEXT_KINDS = [
  'text',
  'long_text',
  'date',
  'amount',
  'number',
  'choice',
  'email',
  'phone',
  'picture',
  'signature',
  'qr_code',
] as const satisfies readonly FieldKind[];
/** The kinds of a section. A section cannot be a text, and a text cannot be a section. */
export const SECTION_KINDS = ['list', 'yes_no'] as const satisfies readonly FieldKind[];

/** The overrides that an admin has set for a field or column. A missing setting is not overridden. */
type SettingOverrides = { [Name in SettingName]?: NonNullable<FieldOverrides[Name]> } & {
  /** The overrides of a list's columns. */
  columns?: OverridesByField;
};

/** The overrides by the name of the field or column. */
export interface OverridesByField {
  [field: string]: SettingOverrides;
}

/** The settings that can be overridden, each by itself. Columns have settings of their own. */
export const SETTING_NAMES = [
  'label',
  'hint',
  'example',
  'group',
  'kind',
  'choices',
  'derivation',
  'minRows',
  'maxRows',
  'maxWidth',
  'maxHeight',
] as const satisfies readonly SettingName[];

/** A field or column whose overrides are sent or compared. */
export interface NamedField {
  field: string;
  columns?: readonly NamedField[];
}

/** Returns the overrides of one field. */
export function overridesOf(overrides: OverridesByField, field: string): SettingOverrides {
  return Object.hasOwn(overrides, field) ? (overrides[field] ?? {}) : {};
}

/** Returns the overrides with those of one field replaced. */
function withOverridesOf(
  overrides: OverridesByField,
  field: string,
  ofField: SettingOverrides,
): OverridesByField {
  const rest = Object.fromEntries(Object.entries(overrides).filter(([name]) => name !== field));
  return Object.keys(ofField).length > 0 ? { ...rest, [field]: ofField } : rest;
}

function withoutKey(ofField: SettingOverrides, key: keyof SettingOverrides): SettingOverrides {
  return Object.fromEntries(Object.entries(ofField).filter(([name]) => name !== key));
}

/** Returns the overrides among the settings that the form shows. */
export function extractOverrides(settings: readonly FieldSettings[]): OverridesByField {
  return settings.reduce<OverridesByField>((overrides, field) => {
    const names = field.said ?? [];
    const all = { label: '', hint: '', example: '', group: '', choices: [], ...field };
    const own: SettingOverrides = Object.fromEntries(names.map((part) => [part, all[part]]));
    const columns = extractOverrides(field.columns ?? []);
    const ofField = Object.keys(columns).length > 0 ? { ...own, columns } : own;
    return withOverridesOf(overrides, field.field, ofField);
  }, {});
}

/** Returns the overrides with one setting of one field changed; undefined removes its override. */
export function setOverride<Name extends SettingName>(
  overrides: OverridesByField,
  field: string,
  setting: Name,
  value: SettingOverrides[Name] | undefined,
): OverridesByField {
  const others = withoutKey(overridesOf(overrides, field), setting);
  return withOverridesOf(overrides, field, value === undefined ? others : { ...others, [setting]: value });
}

/** Returns the overrides with those of a list's columns replaced. */
export function setColumnOverrides(
  overrides: OverridesByField,
  list: string,
  columns: OverridesByField,
): OverridesByField {
  const others = withoutKey(overridesOf(overrides, list), 'columns');
  return withOverridesOf(overrides, list, Object.keys(columns).length > 0 ? { ...others, columns } : others);
}

/** A kind that is known before a file is checked, such as that of a list in another program. */
export interface DeclaredKind {
  kind: FieldKind;
  choices?: string[];
}

/**
 * Returns the overrides with the declared kinds, by name, of all fields and columns that can have them. Kinds that are
 * overridden stay.
 */
export function setDeclaredKinds(
  overrides: OverridesByField,
  detected: readonly FieldSettings[],
  declared: ReadonlyMap<string, DeclaredKind>,
): OverridesByField {
  return detected.reduce(
    (all, { field, kind: detectedKind, choices: detectedChoices = [], columns = [] }) => {
      const { kind, choices = [] } = declared.get(field) ?? { kind: detectedKind };
      const fits =
        isSectionKind(detectedKind) === isSectionKind(kind) && overridesOf(all, field).kind === undefined;
      let result = fits && detectedKind !== kind ? setOverride(all, field, 'kind', kind) : all;
      if (
        fits &&
        kind === 'choice' &&
        choices.length > 0 &&
        choices.join('\n') !== detectedChoices.join('\n')
      )
        result = setOverride(result, field, 'choices', choices);
      const before = overridesOf(result, field).columns ?? {};
      const after = setDeclaredKinds(before, columns, declared);
      return after === before ? result : setColumnOverrides(result, field, after);
    },
    overrides,
  );
}

/** Returns the overrides without those of one field. The overrides of its columns stay. */
export function removeOverrides(overrides: OverridesByField, field: string): OverridesByField {
  const { columns } = overridesOf(overrides, field);
  return withOverridesOf(overrides, field, columns ? { columns } : {});
}

/** Returns the overrides under the new field names. `renamed` maps old names to new ones; columns keep theirs. */
export function renameOverrides(
  overrides: OverridesByField,
  renamed: Record<string, string>,
): OverridesByField {
  const newName = (field: string) => (Object.hasOwn(renamed, field) ? (renamed[field] ?? field) : field);
  return Object.fromEntries(
    Object.entries(overrides).map(([field, settings]) => [
      newName(field),
      settings.derivation
        ? { ...settings, derivation: renameSources(settings.derivation, newName) }
        : settings,
    ]),
  );
}

/** Returns detected settings under the new field names. */
export function renameFields(
  settings: readonly FieldSettings[],
  renamed: Record<string, string>,
): FieldSettings[] {
  return settings.map((one) => ({
    ...one,
    field: Object.hasOwn(renamed, one.field) ? (renamed[one.field] ?? one.field) : one.field,
  }));
}

/** Returns a field's settings as the form will show them: the override, or else the detected value. */
export function effectiveSettings(detected: FieldSettings, overrides: OverridesByField): FieldSettings {
  const { columns: ofColumns = {}, ...ofField } = overridesOf(overrides, detected.field);
  return {
    ...detected,
    ...ofField,
    ...(detected.columns && {
      columns: detected.columns.map((column) => effectiveSettings(column, ofColumns)),
    }),
    said: SETTING_NAMES.filter((part) => ofField[part] !== undefined),
  };
}

/** Returns the detected settings of the fields, without the overrides. */
export function detectedSettings(settings: readonly FieldSettings[]): FieldSettings[] {
  return settings.map(({ field, kind, label, group, choices, columns, said = [], guessed }) => {
    // A section stays a section, whatever its kind was changed to.
    const kindIfOverridden = isSectionKind(kind) ? kind : 'text';
    const detected: FieldSettings = { field, kind: said.includes('kind') ? kindIfOverridden : kind };
    if (label && !said.includes('label')) detected.label = label;
    if (group && !said.includes('group')) detected.group = group;
    if (choices && !said.includes('choices')) detected.choices = choices;
    if (columns) detected.columns = detectedSettings(columns);
    const known = Object.entries(guessed ?? {}).filter(
      ([name, value]) => value !== null && name !== 'columns',
    );
    return { ...detected, ...(Object.fromEntries(known) as Omit<SettingOverrides, 'columns'>) };
  });
}

/** Returns the overrides to send, for existing fields and columns in their order. */
export function overridesToSend(
  fields: readonly NamedField[],
  overrides: OverridesByField,
): FieldOverrides[] {
  return fields.flatMap(({ field, columns: ownColumns = [] }) => {
    const { columns = {}, ...ofField } = overridesOf(overrides, field);
    const ofColumns = overridesToSend(ownColumns, columns);
    const all = { ...ofField, ...(ofColumns.length > 0 && { columns: ofColumns }) };
    return Object.keys(all).length > 0 ? [{ ...all, field }] : [];
  });
}

/** Returns true if both have the same overrides for these fields and columns. */
export function haveSameOverrides(
  fields: readonly NamedField[],
  one: OverridesByField,
  other: OverridesByField,
): boolean {
  const comparable = (sent: readonly FieldOverrides[]): unknown[] =>
    sent.map((help) => [
      help.field,
      ...SETTING_NAMES.map((part) => help[part]),
      comparable(help.columns ?? []),
    ]);
  const asText = (overrides: OverridesByField) =>
    JSON.stringify(comparable(overridesToSend(fields, overrides)));
  return asText(one) === asText(other);
}
