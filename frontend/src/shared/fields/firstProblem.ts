import { isTooLong } from '@/shared/limits';

import { structuredField, type FieldSettings } from './fieldSettings';
import { cellPath } from './paths';
import { isQrCodeTooLong } from './textProblem';
import { isList, textsOf, valueOfType, type FieldValues } from './values';

/**
 * Returns the path of the first value that cannot be sent: a text that is too long, or a list with fewer or more rows
 * than its author allows. Returns null if there is none.
 */
export function firstProblem(
  settings: readonly FieldSettings[],
  values: FieldValues,
  pathOf = (field: string) => field,
): string | null {
  for (const one of settings) {
    const value = valueOfType(values, structuredField(one));
    const path = pathOf(one.field);
    if (!isList(value)) {
      if (textsOf(value).some((text) => isTooLong(text) || isQrCodeTooLong(text, one.kind))) return path;
      continue;
    }
    const { minRows, maxRows, columns = [] } = one;
    if (value.length < (minRows ?? 0) || value.length > (maxRows ?? Infinity)) return path;
    for (const [at, row] of value.entries()) {
      const problem = firstProblem(columns, row, (column) => cellPath(path, at, column));
      if (problem) return problem;
    }
  }
  return null;
}
