import { formattingLocale } from '@/shared/i18n/format';

/** A day of the Gregorian calendar as noon UTC, so that time zones do not change it. */
export type Day = Date;

export const DAY_MS = 86_400_000;

export function createDay(year: number, month: number, day: number): Day {
  const date = new Date(Date.UTC(2000, 0, 1, 12));
  date.setUTCFullYear(year, month, day);
  return date;
}

/** Returns today in the user's time zone. */
export function today(): Day {
  const now = new Date();
  return createDay(now.getFullYear(), now.getMonth(), now.getDate());
}

export function addDays(day: Day, days: number): Day {
  return new Date(day.getTime() + days * DAY_MS);
}

/** Returns the same day of another month, or its last day if it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const first = createDay(day.getUTCFullYear(), day.getUTCMonth() + months, 1);
  const last = createDay(first.getUTCFullYear(), first.getUTCMonth() + 1, 0).getUTCDate();
  return createDay(first.getUTCFullYear(), first.getUTCMonth(), Math.min(day.getUTCDate(), last));
}

export function isSameDay(one: Day, other: Day): boolean {
  return one.getTime() === other.getTime();
}

/** Returns the weeks of the month of `day`, each starting on `weekStart` (0 is Sunday). */
export function weeksOfMonth(day: Day, weekStart: number): Day[][] {
  const first = createDay(day.getUTCFullYear(), day.getUTCMonth(), 1);
  const daysBefore = (first.getUTCDay() - weekStart + 7) % 7;
  const length = createDay(day.getUTCFullYear(), day.getUTCMonth() + 1, 0).getUTCDate();
  const weeks = Math.ceil((daysBefore + length) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, at) => addDays(first, week * 7 + at - daysBefore)),
  );
}

/**
 * Returns the first day of the week: Saturday in most Arabic countries, Sunday in some and in the United States,
 * else Monday.
 */
export function firstWeekday(language: string, country: string | null): number {
  if (['US', 'CA', 'SA', 'YE', 'IL', 'PS', 'IN', 'BR', 'JP'].includes(country ?? '')) return 0;
  if (['MA', 'TN', 'LB'].includes(country ?? '')) return 1;
  return language.startsWith('ar') ? 6 : 1;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached format, because creating one is slow and a calendar needs many. */
function cachedFormat(locale: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(style)}`;
  const cached = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' });
  formats.set(key, cached);
  return cached;
}

/**
 * Returns the locale of a template. Without a country, English is written as in Great Britain, and Arabic as in
 * Egypt.
 */
function templateLocale(language: string, country: string | null): string {
  return formattingLocale(language, country ?? (language === 'en' ? 'GB' : language === 'ar' ? 'EG' : null));
}

const LONG_DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/**
 * Writes a date as documents of this language and country do: `22 November 2026`, `1er novembre 2026`, `22 نوفمبر
 * 2026`.
 */
export function formatDay(day: Day, language: string, country: string | null): string {
  const parts = cachedFormat(templateLocale(language, country), LONG_DATE).formatToParts(day);
  const isFrenchFirst = language.startsWith('fr') && day.getUTCDate() === 1;
  return removeDirectionMarks(
    parts.map(({ type, value }) => (isFrenchFirst && type === 'day' ? '1er' : value)).join(''),
  );
}

function hijriFormat(language: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cachedFormat(`${language}-u-ca-islamic-umalqura-nu-latn`, style);
}

/** Returns the parts of a day in the Hijri calendar (Umm al-Qura). */
function hijriParts(day: Day, language: string) {
  const parts = hijriFormat(language, LONG_DATE).formatToParts(day);
  const partValue = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return { day: partValue('day'), month: removeDirectionMarks(partValue('month')), year: partValue('year') };
}

/** Writes a date of the Hijri calendar (Umm al-Qura): `11 جمادى الآخرة 1448 هـ`. */
export function formatHijriDay(day: Day, language: string): string {
  return `${hijriParts(day, language).day} ${formatHijriMonth(day, language)}`;
}

/** Returns month and year of a day: `November 2026`. */
export function formatGregorianMonth(day: Day, language: string, country: string | null): string {
  return `${monthNames(language, country)[day.getUTCMonth()] ?? ''} ${day.getUTCFullYear()}`;
}

export function formatHijriMonth(day: Day, language: string): string {
  const { month, year } = hijriParts(day, language);
  const era = language.startsWith('ar') ? 'هـ' : language.startsWith('fr') ? 'H' : 'AH';
  return `${month} ${year} ${era}`;
}

export function hijriDayNumber(day: Day): string {
  return hijriFormat('en', { day: 'numeric' }).format(day);
}

/** Returns the Hijri months of the days of a Gregorian month: `جمادى الأولى – جمادى الآخرة 1448`. */
export function formatHijriMonths(month: Day, language: string): string {
  const first = createDay(month.getUTCFullYear(), month.getUTCMonth(), 1);
  const last = createDay(month.getUTCFullYear(), month.getUTCMonth() + 1, 0);
  const [from, to] = [first, last].map((day) => hijriParts(day, language));
  if (!from || !to) return '';
  if (from.month === to.month) return `${to.month} ${to.year}`;
  return from.year === to.year
    ? `${from.month} – ${to.month} ${to.year}`
    : `${from.month} ${from.year} – ${to.month} ${to.year}`;
}

/** Removes the direction marks that `Intl` adds in some languages. */
function removeDirectionMarks(text: string): string {
  return text.replace(/[\u200e\u200f\u061c]/g, '');
}

/** Returns the names of the months in a language, starting with January. */
export function monthNames(language: string, country: string | null): string[] {
  const months = cachedFormat(templateLocale(language, country), { month: 'long' });
  return Array.from({ length: 12 }, (_, month) =>
    removeDirectionMarks(months.format(createDay(2024, month, 1))),
  );
}

/**
 * Parses a date in the format of `formatDay`, in digits (day first), or in ISO order. Returns null for other texts.
 */
export function parseDay(value: string, language: string, country: string | null): Day | null {
  const text = value
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .trim()
    .toLowerCase();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return dayIfValid(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const digits = /^(\d{1,2})[/.\-\s](\d{1,2})[/.\-\s](\d{4})$/.exec(text);
  if (digits) return dayIfValid(Number(digits[3]), Number(digits[2]) - 1, Number(digits[1]));
  const named = /^(?:(\d{1,2})(?:er)?\s+)?(\p{L}[\p{L}\p{M}.’' ]*?)\s+(?:(\d{1,2}),\s*)?(\d{4})$/u.exec(text);
  if (!named) return null;
  const month = monthNames(language, country).findIndex((name) => name.toLowerCase() === named[2]);
  const day = Number(named[1] ?? named[3] ?? NaN);
  return month < 0 || Number.isNaN(day) ? null : dayIfValid(Number(named[4]), month, day);
}

function dayIfValid(year: number, month: number, day: number): Day | null {
  const date = createDay(year, month, day);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date : null;
}
