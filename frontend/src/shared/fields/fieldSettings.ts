// The settings of fields: as the form shows them, and as an admin overrides them.
import type { Derivation, FieldSettings, StructuredField as ReceivedField, ValueKind } from '@/api/types';

import { completeValue, type FieldType, type FieldValues, type StructuredField } from './values';

export type { FieldOverrides, FieldSettings, Rate, SettingName, SuggestedDerivation } from '@/api/types';
/** The kind of a field's input. */
export type FieldKind = ValueKind;
/** The way a value is derived from other fields, from other columns of its row, or from the rows of a list. */
export type FieldDerivation = Derivation;

/** The largest size of a picture that the server accepts, in millimetres. */
export const MAX_PICTURE_MM = 420;

const TYPES_OF_KINDS: { [Kind in FieldKind]?: FieldType } = {
  yes_no: 'yes_no',
  list: 'list',
  picture: 'picture',
  signature: 'signature',
  qr_code: 'qr_code',
};

/** Returns the type of the values of a field. */
export function typeOfKind(kind: FieldKind): FieldType {
  return TYPES_OF_KINDS[kind] ?? 'text';
}

/** Returns true for kinds whose values are texts, so that values can be derived from them. */
export function isTextKind(kind: FieldKind): boolean {
  return typeOfKind(kind) === 'text';
}

/** Returns true for kinds of sections. The template's tags decide whether a field is a section. */
export function isSectionKind(kind: FieldKind): boolean {
  return kind === 'yes_no' || kind === 'list';
}

const structuredFields = new WeakMap<FieldSettings, StructuredField>();

/** Returns a field with its type and its columns: the same object for the same settings. */
export function structuredField(settings: FieldSettings): StructuredField {
  const known = structuredFields.get(settings);
  if (known) return known;
  const { field, kind, columns = [] } = settings;
  const type = typeOfKind(kind);
  const structured: StructuredField =
    type === 'list' ? { name: field, type, columns: columns.map(structuredField) } : { name: field, type };
  structuredFields.set(settings, structured);
  return structured;
}

/**
 * Returns values as the pages need them: lists have every column, and each value has the type of its field. Texts stay
 * as they were typed.
 */
export function pageValues(settings: readonly FieldSettings[], values: FieldValues): FieldValues {
  const typed = settings
    .map(structuredField)
    .filter(({ name, type }) => type !== 'text' || typeof values[name] === 'boolean');
  return {
    ...values,
    ...Object.fromEntries(typed.map((field) => [field.name, completeValue(values, field)])),
  };
}

/** Returns the kind of a field whose values have a type: its own kind if it has that type. */
function kindOfType(kind: FieldKind, type: FieldType): FieldKind {
  return typeOfKind(kind) === type ? kind : type;
}

/** Returns the settings of fields with the types of the template's structure. */
export function withStructure(
  settings: readonly FieldSettings[],
  structure: readonly StructuredField[] | undefined,
): FieldSettings[] {
  return settings.map((one) => {
    const found = structure?.find(({ name }) => name === one.field);
    return found ? withType(one, found) : one;
  });
}

function withType(settings: FieldSettings, { type, columns = [] }: StructuredField): FieldSettings {
  const kind = kindOfType(settings.kind, type);
  if (type !== 'list') return kind === settings.kind ? settings : { ...settings, kind };
  const known = settings.columns ?? [];
  return {
    ...settings,
    kind,
    columns: columns.map((column) =>
      withType(
        known.find(({ field }) => field === column.name) ?? { field: column.name, kind: 'text' },
        column,
      ),
    ),
  };
}

/** Returns the structure in a response. Lists of templates have none. */
export function structureIn(response: { structure?: ReceivedField[] | null }): StructuredField[] | undefined {
  return response.structure?.map(withDefaults);
}

function withDefaults({ name, type = 'text', columns }: ReceivedField): StructuredField {
  return columns ? { name, type, columns: columns.map(withDefaults) } : { name, type };
}
