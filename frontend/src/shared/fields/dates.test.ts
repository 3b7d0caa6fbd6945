import { describe, expect, it } from 'vitest';

import {
  parseDay,
  createDay,
  hijriDayNumber,
  formatHijriMonths,
  addMonths,
  weeksOfMonth,
  formatDay,
  formatHijriDay,
} from './dates';

const day = createDay(2026, 10, 22);

describe('dates', () => {
  it('are formatted as in documents of the language', () => {
    expect(formatDay(day, 'en', null)).toBe('22 November 2026');
    expect(formatDay(day, 'en', 'US')).toBe('November 22, 2026');
    expect(formatDay(day, 'fr', 'FR')).toBe('22 novembre 2026');
    expect(formatDay(createDay(2026, 10, 1), 'fr', null)).toBe('1er novembre 2026');
    expect(formatDay(day, 'ar', 'EG')).toBe('22 نوفمبر 2026');
    expect(formatDay(day, 'ar', 'SA')).toBe('22 نوفمبر 2026');
    expect(formatDay(createDay(2026, 0, 5), 'ar', 'TN')).toBe('5 جانفي 2026');
  });

  it('are converted to the Hijri calendar of Umm al-Qura', () => {
    // The first of Ramadan 1446 was the first of March 2025.
    expect(formatHijriDay(createDay(2025, 2, 1), 'ar')).toBe('1 رمضان 1446 هـ');
    expect(hijriDayNumber(createDay(2025, 2, 1))).toBe('1');
    expect(formatHijriMonths(createDay(2025, 2, 9), 'ar')).toBe('رمضان – شوال 1446');
    expect(formatHijriDay(day, 'fr')).toMatch(/^\d+ .+ 1448 H$/);
  });

  it('are parsed in the same format, and in digits', () => {
    for (const [language, country] of [
      ['en', null],
      ['en', 'US'],
      ['fr', 'FR'],
      ['ar', 'EG'],
      ['ar', 'TN'],
    ] as const) {
      for (let month = 0; month < 12; month++) {
        const one = createDay(2026, month, 1);
        expect(
          parseDay(formatDay(one, language, country), language, country),
          formatDay(one, language, country),
        ).toEqual(one);
      }
    }
    expect(parseDay('22/11/2026', 'en', null)).toEqual(day);
    expect(parseDay('2026-11-22', 'fr', null)).toEqual(day);
    expect(parseDay('٢٢/١١/٢٠٢٦', 'ar', null)).toEqual(day);
    for (const other of ['', 'soon', '31/02/2026', '22 Brumaire 2026', '22 novembre'])
      expect(parseDay(other, 'fr', null)).toBeNull();
  });

  it('form the weeks of a month', () => {
    const weeks = weeksOfMonth(day, 1);
    expect(weeks.map((week) => week[0]?.getUTCDate())).toEqual([26, 2, 9, 16, 23, 30]);
    expect(weeks.flat()).toHaveLength(42);
    expect(weeksOfMonth(createDay(2027, 1, 1), 1)).toHaveLength(4);
    expect(addMonths(createDay(2026, 0, 31), 1)).toEqual(createDay(2026, 1, 28));
    expect(addMonths(createDay(2024, 1, 29), 12)).toEqual(createDay(2025, 1, 28));
  });
});
