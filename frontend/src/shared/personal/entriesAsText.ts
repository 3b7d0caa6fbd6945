import type { Entry } from './entry';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the lines of a list of fields: one with the name of each field that has a value, and its value. */
function fieldLines(values: unknown): string[] {
  if (Array.isArray(values)) return values.flatMap(fieldLines);
  if (!isRecord(values)) return [];
  return Object.entries(values).flatMap(([field, value]) =>
    typeof value === 'string' && value.trim() ? [`${field}: ${value}`] : [],
  );
}

function entryLines(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const { title, edit, values, body, ...others } = value;
  const named = typeof title === 'string' ? title : isRecord(edit) ? edit['title'] : undefined;
  const typed = isRecord(body) ? body['fieldsAndValues'] : values;
  const lines = typed === undefined ? fieldLines(others) : fieldLines(typed);
  return [...(typeof named === 'string' && named ? [named] : []), ...lines];
}

/** Returns what was typed as plain text, for a person to read and copy. */
export function entriesAsText(entries: readonly Entry[]): string {
  return entries
    .map(({ value }) => entryLines(value).join('\r\n'))
    .filter(Boolean)
    .join('\r\n\r\n');
}
