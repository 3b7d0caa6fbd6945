import { VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';

import { directionOf } from '@/shared/i18n/language';
import { formatNumber } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';

import classes from './DashboardPage.module.css';
import { lastMonths, type MonthCount } from './months';

// Loaded separately: the chart library is a large part of this page, and the numbers need not wait for it.
const importChart = () => import('./MonthChart');
const MonthChart = lazy(importChart);

interface ChartSheetProps {
  title: string;
  /** The explanation of what is counted. */
  hint: string;
  line: 'users' | 'downloads';
  /** Undefined while it is loading. */
  months: MonthCount[] | undefined;
}

/** A chart of twelve months on white, with a table of the same numbers. */
export function ChartSheet({ title, hint, line, months }: ChartSheetProps) {
  const { t, i18n } = useTranslation();
  const locale = useFormattingLocale();
  const heading = useId();
  // Fetched together with the numbers. A failed fetch is repeated when the chart is shown.
  useEffect(() => void importChart().catch(() => undefined), []);
  const points = lastMonths(months ?? [], new Date(), locale);
  const number = (value: number) => formatNumber(value, locale);
  const sum = points.reduce((all, { value }) => all + value, 0);
  return (
    <section className={classes['sheet']} aria-labelledby={heading}>
      <header className={classes['sheetHead']}>
        <h2 id={heading}>{title}</h2>
        <span className={classes['loading']} role="status">
          {months === undefined && t('loading')}
        </span>
      </header>
      <p className={classes['hint']}>
        {hint} {months && <span>· {t('dashboard.sum', { count: sum })}</span>}
      </p>
      <div className={classes['chart']}>
        {/* While loading, a line at zero would be false. */}
        {months && (
          <Suspense fallback={null}>
            <MonthChart
              points={points}
              line={line}
              label={hint}
              rtl={directionOf(i18n.language) === 'rtl'}
              format={number}
            />
          </Suspense>
        )}
      </div>
      <details className={classes['details']} hidden={!months}>
        <summary>{t('dashboard.showTable')}</summary>
        <table>
          <VisuallyHidden component="caption">{hint}</VisuallyHidden>
          <thead>
            <tr>
              <th scope="col">{t('dashboard.month')}</th>
              <th scope="col">{t('dashboard.count')}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ key, name, value }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
