import { describe, expect, it } from 'vitest';

import { dateIn, dayOf, hijriDay, hijriMonths, plusMonths, weeksOf, written, writtenHijri } from './dates';

const day = dayOf(2026, 10, 22);

describe('dates', () => {
  it('are written as documents of the language have them', () => {
    expect(written(day, 'en', null)).toBe('22 November 2026');
    expect(written(day, 'en', 'US')).toBe('November 22, 2026');
    expect(written(day, 'fr', 'FR')).toBe('22 novembre 2026');
    expect(written(dayOf(2026, 10, 1), 'fr', null)).toBe('1er novembre 2026');
    expect(written(day, 'ar', 'EG')).toBe('22 نوفمبر 2026');
    expect(written(day, 'ar', 'SA')).toBe('22 نوفمبر 2026');
    expect(written(dayOf(2026, 0, 5), 'ar', 'TN')).toBe('5 جانفي 2026');
  });

  it('are known in the Hijri calendar of Umm al-Qura', () => {
    // The first of Ramadan 1446 was the first of March 2025.
    expect(writtenHijri(dayOf(2025, 2, 1), 'ar')).toBe('1 رمضان 1446 هـ');
    expect(hijriDay(dayOf(2025, 2, 1))).toBe('1');
    expect(hijriMonths(dayOf(2025, 2, 9), 'ar')).toBe('رمضان – شوال 1446');
    expect(writtenHijri(day, 'fr')).toMatch(/^\d+ .+ 1448 H$/);
  });

  it('are read back, and in the usual digits', () => {
    for (const [language, country] of [
      ['en', null],
      ['en', 'US'],
      ['fr', 'FR'],
      ['ar', 'EG'],
      ['ar', 'TN'],
    ] as const) {
      for (let month = 0; month < 12; month++) {
        const one = dayOf(2026, month, 1);
        expect(
          dateIn(written(one, language, country), language, country),
          written(one, language, country),
        ).toEqual(one);
      }
    }
    expect(dateIn('22/11/2026', 'en', null)).toEqual(day);
    expect(dateIn('2026-11-22', 'fr', null)).toEqual(day);
    expect(dateIn('٢٢/١١/٢٠٢٦', 'ar', null)).toEqual(day);
    for (const other of ['', 'soon', '31/02/2026', '22 Brumaire 2026', '22 novembre'])
      expect(dateIn(other, 'fr', null)).toBeNull();
  });

  it('fill the weeks of a month', () => {
    const weeks = weeksOf(day, 1);
    expect(weeks.map((week) => week[0]?.getUTCDate())).toEqual([26, 2, 9, 16, 23, 30]);
    expect(weeks.flat()).toHaveLength(42);
    expect(weeksOf(dayOf(2027, 1, 1), 1)).toHaveLength(4);
    expect(plusMonths(dayOf(2026, 0, 31), 1)).toEqual(dayOf(2026, 1, 28));
    expect(plusMonths(dayOf(2024, 1, 29), 12)).toEqual(dayOf(2025, 1, 28));
  });
});
