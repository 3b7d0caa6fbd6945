import { structuredField, type FieldSettings } from './fieldSettings';
import type { FieldValue, FieldValues } from './values';

/**
 * Returns values that show an unfilled template to its readers: each text is a dotted blank with the label of its field, a
 * list has one row of them, and optional clauses are printed. Pictures stay empty.
 */
export function labelledBlanks(settings: readonly FieldSettings[]): FieldValues {
  return Object.fromEntries(settings.map((one) => [one.field, labelledBlank(one)]));
}

function labelledBlank(settings: FieldSettings): FieldValue {
  switch (structuredField(settings).type) {
    case 'text':
      return `…… ${settings.label || settings.field} ……`;
    case 'yes_no':
      return true;
    case 'list':
      return [labelledBlanks(settings.columns ?? [])];
    default:
      return '';
  }
}
