import type { ReactNode } from 'react';

import { useErrorText } from '@/shared/i18n/useErrorText';

import { Failure } from './Failure';
import classes from './ListState.module.css';

/** What is known of a list that is asked for: the state of its query. */
interface ListQuery<Data> {
  data: Data | undefined;
  error: unknown;
  /** `data` is that of the last page or search, while the next one is on its way. */
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface ListStateProps<Data> {
  query: ListQuery<Data>;
  /** What could not be loaded, as a title. */
  failed: string;
  /** What stands in the list's place until it is there. */
  skeleton: ReactNode;
  /** What stands in its place if there is nothing in it. */
  empty: ReactNode;
  isEmpty: (data: Data) => boolean;
  children: (data: Data) => ReactNode;
}

/** A list as it is loaded: its skeleton, its items, that it is empty, or that it failed, with a button that tries again. */
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
  /** What can be done about it. */
  children?: ReactNode;
}

/** A list with nothing in it, which is no failure. */
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
