import type { ReactNode } from 'react';

import { formatDateTime } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';

import classes from './AuditLog.module.css';

interface AuditLogProps<Entry> {
  entries: Entry[];
  title: (entry: Entry) => ReactNode;
  /** Returns the text that names the author of an entry. */
  author: (entry: Entry) => string;
  details?: (entry: Entry) => ReactNode;
}

/** A list of audit events, newest first: action, author and time. */
export function AuditLog<Entry extends { at: string }>({
  entries,
  title,
  author,
  details,
}: AuditLogProps<Entry>) {
  const locale = useFormattingLocale();
  return (
    <ol className={classes['entries']}>
      {entries.map((entry, index) => (
        <li key={index}>
          <p className={classes['title']}>{title(entry)}</p>
          <p className={classes['facts']}>
            <bdi>{author(entry)}</bdi>
            {' · '}
            <time dateTime={entry.at}>{formatDateTime(entry.at, locale)}</time>
          </p>
          {details?.(entry)}
        </li>
      ))}
    </ol>
  );
}
