import type { FieldValue, FieldValues } from './values';

/** The maximum number of lists around a value. */
const MAX_LIST_DEPTH = 4;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a stored or received value; undefined if it is none. Rows and columns that are no values are dropped. */
export function parseFieldValue(stored: unknown, depth = 0): FieldValue | undefined {
  if (typeof stored === 'string' || typeof stored === 'boolean') return stored;
  if (typeof stored === 'number') return String(stored);
  if (Array.isArray(stored)) {
    return depth < MAX_LIST_DEPTH
      ? stored.filter(isRecord).map((row) => parseFieldValues(row, depth + 1))
      : undefined;
  }
  if (!isRecord(stored) || typeof stored['image'] !== 'string') return undefined;
  const { image, alternativeText } = stored;
  return typeof alternativeText === 'string' ? { image, alternativeText } : { image };
}

/** Returns the stored or received values by name. Entries that are no values are dropped. */
export function parseFieldValues(stored: Record<string, unknown>, depth = 0): FieldValues {
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, entry]): [string, FieldValue][] => {
      const value = parseFieldValue(entry, depth);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
