import type { Entry } from './entry';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the lines of a list of fields: one with the name of each field that has a value, and its value. The values
 * of a list follow its name, with an indent, and rows are separated by a line with a dash. `isForm` is false for entries that are not values of a form.
 */
function fieldLines(values: unknown, isForm: boolean): string[] {
  if (Array.isArray(values)) return values.flatMap((one) => fieldLines(one, isForm));
  if (!isRecord(values)) return [];
  return Object.entries(values).flatMap(([field, value]) => {
    if (value === true) return isForm ? [`${field}: ☑`] : [];
    if (isForm && Array.isArray(value)) {
      const rows = value.map((row) => fieldLines(row, isForm)).filter((lines) => lines.length > 0);
      const lines = rows.flatMap((row, at) => (at > 0 ? ['-', ...row] : row));
      return lines.length > 0 ? [`${field}:`, ...lines.map((line) => `  ${line}`)] : [];
    }
    return typeof value === 'string' && value.trim() ? [`${field}: ${value}`] : [];
  });
}

function entryLines(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const { title, edit, values, body, ...others } = value;
  const named = typeof title === 'string' ? title : isRecord(edit) ? edit['title'] : undefined;
  const typed = isRecord(body) ? body['fieldsAndValues'] : values;
  const lines = typed === undefined ? fieldLines(others, false) : fieldLines(typed, true);
  return [...(typeof named === 'string' && named ? [named] : []), ...lines];
}

/** Returns what was typed as plain text, for a person to read and copy. */
export function entriesAsText(entries: readonly Entry[]): string {
  return entries
    .filter(({ kind }) => kind !== 'signature')
    .map(({ value }) => entryLines(value).join('\r\n'))
    .filter(Boolean)
    .join('\r\n\r\n');
}
