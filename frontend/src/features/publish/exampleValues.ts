import { createDay, formatDay } from '@/shared/fields/dates';
import type { FieldSettings } from '@/shared/fields/fieldSettings';
import type { FieldValue, FieldValues } from '@/shared/fields/values';

/** The number of rows of a list with example values. */
const ROWS = 2;

/** Returns an example value for each field that is not derived. `language` and `country` are those of the template. */
export function exampleValues(
  settings: readonly FieldSettings[],
  language: string,
  country: string | null,
): FieldValues {
  return Object.fromEntries(
    settings
      .filter(({ derivation }) => !derivation)
      .map((one) => [one.field, exampleValue(one, language, country)]),
  );
}

function exampleValue(settings: FieldSettings, language: string, country: string | null): FieldValue {
  const { field, kind, label, example, choices = [], columns = [], minRows, maxRows } = settings;
  if (kind === 'yes_no') return true;
  if (kind === 'list') {
    const rows = Math.min(Math.max(ROWS, minRows ?? 0), maxRows ?? Infinity);
    return Array.from({ length: rows }, () => exampleValues(columns, language, country));
  }
  // Pictures are chosen by the author.
  if (kind === 'picture' || kind === 'signature') return '';
  if (example) return example;
  switch (kind) {
    case 'date':
      return formatDay(createDay(2026, 0, 31), language, country);
    case 'amount':
      return '1250';
    case 'number':
      return '12';
    case 'choice':
      return choices[0] ?? label ?? field;
    case 'email':
      return 'name@example.com';
    case 'phone':
      return '+44 20 7946 0018';
    case 'qr_code':
      return 'https://example.com';
    default:
      return label || field;
  }
}
