/** The number of months in a chart, including the current one (specification §9). */
export const MONTHS = 12;

/** The count of a month. */
export interface MonthCount {
  year: number;
  /** The month, from 1 to 12. */
  month: number;
  count?: number;
}

/** A month in a chart. */
export interface MonthPoint {
  /** For example `2026-11`. */
  key: string;
  /** For example `Nov 2026`, in the language of the page. */
  name: string;
  value: number;
}

/**
 * Returns the last twelve months, including those without events. Several entries for a month are added up. Months
 * are in UTC, as the server counts them.
 */
export function lastMonths(entries: MonthCount[], now: Date, locale: string): MonthPoint[] {
  const names = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const keyOf = (year: number, month: number) => `${year}-${String(month).padStart(2, '0')}`;
  const counts = new Map<string, number>();
  for (const { year, month, count = 0 } of entries) {
    const key = keyOf(year, month);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return Array.from({ length: MONTHS }, (_, index) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - index), 1));
    const key = keyOf(first.getUTCFullYear(), first.getUTCMonth() + 1);
    return { key, name: names.format(first), value: counts.get(key) ?? 0 };
  });
}
