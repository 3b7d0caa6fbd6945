/** Months a chart shows, the present one the last (specification §9). */
export const MONTHS = 12;

/** What is counted of a month. */
export interface MonthCount {
  year: number;
  /** 1 to 12. */
  month: number;
  count?: number;
}

/** A month of a chart. */
export interface Point {
  /** `2026-11`. */
  key: string;
  /** `Nov 2026`, in the language of the page. */
  name: string;
  value: number;
}

/** The last twelve months, those in which nothing happened too; entries of one month are added up. Months are those of UTC, as they are counted. */
export function lastMonths(entries: MonthCount[], now: Date, locale: string): Point[] {
  const names = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const keyOf = (year: number, month: number) => `${year}-${String(month).padStart(2, '0')}`;
  const counts = new Map<string, number>();
  for (const { year, month, count = 0 } of entries) {
    const key = keyOf(year, month);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return Array.from({ length: MONTHS }, (_, place) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - place), 1));
    const key = keyOf(first.getUTCFullYear(), first.getUTCMonth() + 1);
    return { key, name: names.format(first), value: counts.get(key) ?? 0 };
  });
}
