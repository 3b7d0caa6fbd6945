import type { ReactNode } from 'react';

import { useErrorText } from '@/shared/i18n/useErrorText';

import { Failure } from './Failure';
import classes from './ListState.module.css';

/** The state of a list's query. */
interface ListQuery<Data> {
  data: Data | undefined;
  error: unknown;
  /** True if `data` is that of the previous page or search, while the next is loading. */
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface ListStateProps<Data> {
  query: ListQuery<Data>;
  /** The title of the error message. */
  failed: string;
  /** The placeholder while the list is loading. */
  skeleton: ReactNode;
  /** The content for an empty list. */
  empty: ReactNode;
  isEmpty: (data: Data) => boolean;
  children: (data: Data) => ReactNode;
}

/** A list in all states of its query: placeholder, items, empty, or failed with a button to try again. */
export function ListState<Data>(props: ListStateProps<Data>) {
  const { query, failed, skeleton, empty, isEmpty, children } = props;
  const { data, error, isPlaceholderData } = query;
  const errorText = useErrorText();
  if (data === undefined) {
    if (!error) return skeleton;
    return <Failure title={failed} hint={errorText(error)} onRetry={() => void query.refetch()} />;
  }
  if (isEmpty(data)) return empty;
  return (
    <div
      className={classes['results']}
      data-stale={isPlaceholderData || undefined}
      aria-busy={isPlaceholderData}
    >
      {children(data)}
    </div>
  );
}

interface EmptyListProps {
  title: string;
  hint: string;
  /** Actions for the empty list. */
  children?: ReactNode;
}

/** An empty list, which is not an error. */
export function EmptyList({ title, hint, children }: EmptyListProps) {
  return (
    <div className={classes['empty']}>
      <svg width="96" height="112" viewBox="0 0 96 112" aria-hidden="true" focusable="false">
        <rect
          x="20"
          y="10"
          width="64"
          height="90"
          rx="3"
          className={classes['under']}
          transform="rotate(5 52 55)"
        />
        <rect x="14" y="8" width="64" height="90" rx="3" className={classes['blank']} />
      </svg>
      <h2>{title}</h2>
      <p>{hint}</p>
      {children}
    </div>
  );
}
