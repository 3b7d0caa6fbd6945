import type { FillRequest } from '@/api/types';

import { parseFieldValues } from './parseValues';
import { completeValue, type FieldValues, type StructuredField } from './values';

/** The values as the API takes them. */
export type FieldsAndValues = FillRequest['fieldsAndValues'];

/**
 * Returns the API's list of single-key objects in the template's order. All fields are included, and all columns of
 * each row; blank values are empty.
 */
export function toFieldsAndValues(
  fields: readonly StructuredField[],
  values: FieldValues,
): NonNullable<FieldsAndValues> {
  const list = fields.map((field) => ({ [field.name]: completeValue(values, field) }));
  return list as NonNullable<FieldsAndValues>;
}

/** Returns the values of the API's list by field name. */
export function valuesByField(list: readonly Record<string, unknown>[]): FieldValues {
  return parseFieldValues(Object.fromEntries(list.flatMap((pair) => Object.entries(pair))));
}
