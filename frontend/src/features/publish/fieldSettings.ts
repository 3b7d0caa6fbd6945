import type { Derivation, FieldSettings, FieldOverrides, ValueKind } from '@/api/types';

/** The overrides that an admin has set for a field. A missing setting is not overridden. */
interface SettingOverrides {
  label?: string;
  hint?: string;
  example?: string;
  group?: string;
  kind?: ValueKind;
  choices?: string[];
  derivation?: Derivation;
}

/** The overrides by field name. */
export type OverridesByField = Record<string, SettingOverrides>;

/** The settings that can be overridden, each by itself. */
export type SettingName = keyof SettingOverrides;
export const SETTING_NAMES = [
  'label',
  'hint',
  'example',
  'group',
  'kind',
  'choices',
  'derivation',
] as const satisfies readonly SettingName[];

/** Returns the overrides among the settings that the form shows. */
export function extractOverrides(settings: readonly FieldSettings[]): OverridesByField {
  const entries = settings.flatMap((field): [string, SettingOverrides][] => {
    const names = field.said ?? [];
    if (names.length === 0) return [];
    const all = { label: '', hint: '', example: '', group: '', choices: [], ...field };
    return [[field.field, Object.fromEntries(names.map((part) => [part, all[part]]))]];
  });
  return Object.fromEntries(entries);
}

/** Returns the overrides with one setting of one field changed; undefined removes its override. */
export function setOverride<Name extends SettingName>(
  overrides: OverridesByField,
  field: string,
  setting: Name,
  value: SettingOverrides[Name] | undefined,
): OverridesByField {
  const ofField = Object.hasOwn(overrides, field) ? (overrides[field] ?? {}) : {};
  const others: SettingOverrides = Object.fromEntries(
    Object.entries(ofField).filter(([name]) => name !== setting),
  );
  const next = value === undefined ? others : { ...others, [setting]: value };
  const rest = Object.fromEntries(Object.entries(overrides).filter(([name]) => name !== field));
  return Object.keys(next).length > 0 ? { ...rest, [field]: next } : rest;
}

/** Returns the overrides without those of one field. */
export function removeOverrides(overrides: OverridesByField, field: string): OverridesByField {
  return Object.fromEntries(Object.entries(overrides).filter(([name]) => name !== field));
}

/** Returns the overrides under the new field names. `renamed` maps old names to new ones. */
export function renameOverrides(
  overrides: OverridesByField,
  renamed: Record<string, string>,
): OverridesByField {
  const newName = (field: string) => (Object.hasOwn(renamed, field) ? (renamed[field] ?? field) : field);
  const renamedDerivation = (derivation: Derivation): Derivation =>
    derivation.kind === 'sum'
      ? { ...derivation, of: derivation.of.map(newName) }
      : { ...derivation, of: newName(derivation.of) };
  return Object.fromEntries(
    Object.entries(overrides).map(([field, settings]) => [
      newName(field),
      settings.derivation ? { ...settings, derivation: renamedDerivation(settings.derivation) } : settings,
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
  const ofField = Object.hasOwn(overrides, detected.field) ? (overrides[detected.field] ?? {}) : {};
  return { ...detected, ...ofField, said: SETTING_NAMES.filter((part) => ofField[part] !== undefined) };
}

/** Returns the detected settings of the fields, without the overrides. */
export function detectedSettings(settings: readonly FieldSettings[]): FieldSettings[] {
  return settings.map(({ field, kind, label, group, choices, said = [], guessed }) => {
    const detected: FieldSettings = { field, kind: said.includes('kind') ? 'text' : kind };
    if (label && !said.includes('label')) detected.label = label;
    if (group && !said.includes('group')) detected.group = group;
    if (choices && !said.includes('choices')) detected.choices = choices;
    const known = Object.entries(guessed ?? {}).filter(([, value]) => value !== null);
    return { ...detected, ...(Object.fromEntries(known) as SettingOverrides) };
  });
}

/** Returns the overrides to send, for existing fields in their order. */
export function overridesToSend(fields: readonly string[], overrides: OverridesByField): FieldOverrides[] {
  return fields
    .filter((field) => Object.hasOwn(overrides, field))
    .map((field) => ({ ...overrides[field], field }));
}

/** Returns true if both have the same overrides for these fields. */
export function haveSameOverrides(
  fields: readonly string[],
  one: OverridesByField,
  other: OverridesByField,
): boolean {
  const asText = (overrides: OverridesByField) =>
    JSON.stringify(
      overridesToSend(fields, overrides).map((help) => [
        help.field,
        ...SETTING_NAMES.map((part) => help[part]),
      ]),
    );
  return asText(one) === asText(other);
}
