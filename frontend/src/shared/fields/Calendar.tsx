import { ActionIcon, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import { chosenCountryStore as chosenCountry } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { directionOf } from '@/shared/i18n/language';
import { ChevronIcon } from '@/shared/ui/icons';

import {
  parseDay,
  createDay,
  formatGregorianMonth,
  hijriDayNumber,
  formatHijriMonth,
  formatHijriMonths,
  isSameDay,
  monthNames,
  addDays,
  addMonths,
  today,
  firstWeekday,
  weeksOfMonth,
  formatDay,
  formatHijriDay,
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
  const interfaceLanguage = i18n.language;
  const region = useStore(chosenCountry);
  const [currentDay] = useState(today);
  const chosen = parseDay(value, lang, country);
  const [day, setDay] = useState<Day>(chosen ?? currentDay);
  const [year, setYear] = useState(String(day.getUTCFullYear()));
  const [calendar, setCalendar] = useState<'gregorian' | 'hijri'>('gregorian');
  const grid = useRef<HTMLTableElement>(null);
  /** True if the active day gets the focus: after a move by key, or when the calendar opens. */
  const focusesDay = useRef(true);
  const titleId = useId();
  const rightToLeft = directionOf(interfaceLanguage) === 'rtl';
  const weekStart = firstWeekday(interfaceLanguage, region);
  const weeks = weeksOfMonth(day, weekStart);

  useEffect(() => {
    if (focusesDay.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    focusesDay.current = false;
  }, [day]);

  const showDay = (next: Day, keyboard: boolean) => {
    if (next.getUTCFullYear() < 1000 || next.getUTCFullYear() > 9999) return;
    focusesDay.current = keyboard;
    setDay(next);
    setYear(String(next.getUTCFullYear()));
  };

  const pick = (picked: Day) =>
    onPick(calendar === 'hijri' ? formatHijriDay(picked, lang) : formatDay(picked, lang, country));

  const onKeyDown = (event: KeyboardEvent) => {
    const forward = rightToLeft ? -1 : 1;
    const dayOfWeek = (day.getUTCDay() - weekStart + 7) % 7;
    const months = event.shiftKey ? 12 : 1;
    const moves: Partial<Record<string, () => Day>> = {
      ArrowRight: () => addDays(day, forward),
      ArrowLeft: () => addDays(day, -forward),
      ArrowDown: () => addDays(day, 7),
      ArrowUp: () => addDays(day, -7),
      Home: () => addDays(day, -dayOfWeek),
      End: () => addDays(day, 6 - dayOfWeek),
      PageDown: () => addMonths(day, months),
      PageUp: () => addMonths(day, -months),
    };
    const next = moves[event.key]?.();
    if (!next) return;
    event.preventDefault();
    showDay(next, true);
  };

  const weekday = (at: number, style: 'narrow' | 'short' | 'long') =>
    new Intl.DateTimeFormat(interfaceLanguage, { weekday: style, timeZone: 'UTC' }).format(
      createDay(2026, 10, 22 + weekStart + at),
    );

  return (
    <div className={classes['calendar']}>
      <div className={classes['head']}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('fieldInput.previousMonth')}
          onClick={() => showDay(addMonths(day, -1), false)}
        >
          <span className={classes['back']}>
            <ChevronIcon />
          </span>
        </ActionIcon>
        <select
          aria-label={t('fieldInput.month')}
          value={day.getUTCMonth()}
          onChange={(event) =>
            showDay(addMonths(day, Number(event.currentTarget.value) - day.getUTCMonth()), false)
          }
        >
          {monthNames(interfaceLanguage, region).map((name, month) => (
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
            if (isYear(typed)) showDay(addMonths(day, 12 * (Number(typed) - day.getUTCFullYear())), false);
          }}
          onBlur={() => setYear(String(day.getUTCFullYear()))}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('fieldInput.nextMonth')}
          onClick={() => showDay(addMonths(day, 1), false)}
        >
          <ChevronIcon />
        </ActionIcon>
      </div>
      <p id={titleId} className={classes['hijriMonths']}>
        {formatHijriMonths(day, interfaceLanguage)}
      </p>
      <table ref={grid} role="grid" aria-labelledby={titleId} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, at) => (
              <th key={at} scope="col" abbr={weekday(at, 'long')}>
                {weekday(at, interfaceLanguage === 'ar' ? 'narrow' : 'short')}
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
                    aria-current={isSameDay(one, currentDay) ? 'date' : undefined}
                    onClick={() => pick(one)}
                  >
                    <span>{one.getUTCDate()}</span>
                    <VisuallyHidden>
                      {' '}
                      {formatGregorianMonth(one, interfaceLanguage, region)}
                    </VisuallyHidden>{' '}
                    <small>{hijriDayNumber(one)}</small>
                    <VisuallyHidden> {formatHijriMonth(one, interfaceLanguage)}</VisuallyHidden>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes['both']} aria-live="polite">
        {formatDay(day, interfaceLanguage, region)}
        <br />
        {formatHijriDay(day, interfaceLanguage)}
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
