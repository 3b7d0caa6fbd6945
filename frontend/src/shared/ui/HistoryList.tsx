import type { ReactNode } from 'react';

import { formatMoment } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';

import classes from './HistoryList.module.css';

interface HistoryListProps<Entry> {
  entries: Entry[];
  title: (entry: Entry) => ReactNode;
  /** Returns the text that names the author of an entry. */
  by: (entry: Entry) => string;
  more?: (entry: Entry) => ReactNode;
}

/** A list of audit events, newest first: action, author and time. */
export function HistoryList<Entry extends { at: string }>({
  entries,
  title,
  by,
  more,
}: HistoryListProps<Entry>) {
  const locale = useFormattingLocale();
  return (
    <ol className={classes['entries']}>
      {entries.map((entry, index) => (
        <li key={index}>
          <p className={classes['title']}>{title(entry)}</p>
          <p className={classes['facts']}>
            <bdi>{by(entry)}</bdi>
            {' · '}
            <time dateTime={entry.at}>{formatMoment(entry.at, locale)}</time>
          </p>
          {more?.(entry)}
        </li>
      ))}
    </ol>
  );
}
