import { ActionIcon, SegmentedControl } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import { country as chosenCountry } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { directionOf } from '@/shared/i18n/language';
import { ChevronIcon } from '@/shared/ui/icons';

import {
  dateIn,
  dayOf,
  gregorianMonth,
  hijriDay,
  hijriMonth,
  hijriMonths,
  isSameDay,
  monthNames,
  plusDays,
  plusMonths,
  today,
  weekStartOf,
  weeksOf,
  written,
  writtenHijri,
  type Day,
} from './dates';
import classes from './fields.module.css';

interface CalendarProps {
  /** The text in the input. */
  value: string;
  /** The template's language, in which the chosen date is written. */
  lang: string;
  country: string | null;
  onPick: (value: string) => void;
}

/** Returns true for a year that dates can be written with. */
const isYear = (text: string) => /^[1-9]\d{3}$/.test(text);

/** A calendar of one month with both eras, controlled by keyboard as in the ARIA date picker pattern. */
export function Calendar({ value, lang, country, onPick }: CalendarProps) {
  const { t, i18n } = useTranslation();
  const spoken = i18n.language;
  const region = useStore(chosenCountry);
  const [now] = useState(today);
  const chosen = dateIn(value, lang, country);
  const [day, setDay] = useState<Day>(chosen ?? now);
  const [year, setYear] = useState(String(day.getUTCFullYear()));
  const [calendar, setCalendar] = useState<'gregorian' | 'hijri'>('gregorian');
  const grid = useRef<HTMLTableElement>(null);
  /** True if the active day gets the focus: after a move by key, or when the calendar opens. */
  const follow = useRef(true);
  const titleId = useId();
  const rightToLeft = directionOf(spoken) === 'rtl';
  const start = weekStartOf(spoken, region);
  const weeks = weeksOf(day, start);

  useEffect(() => {
    if (follow.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    follow.current = false;
  }, [day]);

  const show = (next: Day, keyboard: boolean) => {
    if (next.getUTCFullYear() < 1000 || next.getUTCFullYear() > 9999) return;
    follow.current = keyboard;
    setDay(next);
    setYear(String(next.getUTCFullYear()));
  };

  const pick = (picked: Day) =>
    onPick(calendar === 'hijri' ? writtenHijri(picked, lang) : written(picked, lang, country));

  const onKeyDown = (event: KeyboardEvent) => {
    const along = rightToLeft ? -1 : 1;
    const inWeek = (day.getUTCDay() - start + 7) % 7;
    const months = event.shiftKey ? 12 : 1;
    const moved: Partial<Record<string, () => Day>> = {
      ArrowRight: () => plusDays(day, along),
      ArrowLeft: () => plusDays(day, -along),
      ArrowDown: () => plusDays(day, 7),
      ArrowUp: () => plusDays(day, -7),
      Home: () => plusDays(day, -inWeek),
      End: () => plusDays(day, 6 - inWeek),
      PageDown: () => plusMonths(day, months),
      PageUp: () => plusMonths(day, -months),
    };
    const next = moved[event.key]?.();
    if (!next) return;
    event.preventDefault();
    show(next, true);
  };

  const weekday = (at: number, style: 'narrow' | 'short' | 'long') =>
    new Intl.DateTimeFormat(spoken, { weekday: style, timeZone: 'UTC' }).format(
      dayOf(2026, 10, 22 + start + at),
    );

  return (
    <div className={classes['calendar']}>
      <div className={classes['head']}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('fieldInput.previousMonth')}
          onClick={() => show(plusMonths(day, -1), false)}
        >
          <span className={classes['back']}>
            <ChevronIcon />
          </span>
        </ActionIcon>
        <select
          aria-label={t('fieldInput.month')}
          value={day.getUTCMonth()}
          onChange={(event) =>
            show(plusMonths(day, Number(event.currentTarget.value) - day.getUTCMonth()), false)
          }
        >
          {monthNames(spoken, region).map((name, month) => (
            <option key={name} value={month}>
              {name}
            </option>
          ))}
        </select>
        <input
          aria-label={t('fieldInput.year')}
          dir="ltr"
          inputMode="numeric"
          maxLength={4}
          value={year}
          onChange={(event) => {
            const { value: typed } = event.currentTarget;
            setYear(typed);
            if (isYear(typed)) show(plusMonths(day, 12 * (Number(typed) - day.getUTCFullYear())), false);
          }}
          onBlur={() => setYear(String(day.getUTCFullYear()))}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('fieldInput.nextMonth')}
          onClick={() => show(plusMonths(day, 1), false)}
        >
          <ChevronIcon />
        </ActionIcon>
      </div>
      <p id={titleId} className={classes['hijriMonths']}>
        {hijriMonths(day, spoken)}
      </p>
      <table ref={grid} role="grid" aria-labelledby={titleId} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, at) => (
              <th key={at} scope="col" abbr={weekday(at, 'long')}>
                {weekday(at, spoken === 'ar' ? 'narrow' : 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.getTime()}>
              {week.map((one) => (
                <td
                  key={one.getTime()}
                  role="gridcell"
                  aria-selected={chosen !== null && isSameDay(one, chosen)}
                >
                  <button
                    type="button"
                    tabIndex={isSameDay(one, day) ? 0 : -1}
                    data-other={one.getUTCMonth() !== day.getUTCMonth() || undefined}
                    aria-current={isSameDay(one, now) ? 'date' : undefined}
                    onClick={() => pick(one)}
                  >
                    <span>{one.getUTCDate()}</span>
                    <span className="heard"> {gregorianMonth(one, spoken, region)}</span>{' '}
                    <small>{hijriDay(one)}</small>
                    <span className="heard"> {hijriMonth(one, spoken)}</span>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes['both']} aria-live="polite">
        {written(day, spoken, region)}
        <br />
        {writtenHijri(day, spoken)}
      </p>
      {lang.startsWith('ar') && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('fieldInput.printed')}
          data={[
            { value: 'gregorian', label: t('fieldInput.gregorian') },
            { value: 'hijri', label: t('fieldInput.hijri') },
          ]}
          value={calendar}
          onChange={(value) => setCalendar(value === 'hijri' ? 'hijri' : 'gregorian')}
        />
      )}
    </div>
  );
}
