import { Toaster } from 'react-hot-toast';

import classes from './Toasts.module.css';

/** How long toasts stand (specification §9); one that says that something is under way stands until it is replaced. */
const TOAST_MS = { error: 4000, success: 2000, blank: 4000 } as const;

/** Short messages at the top right, below the bar; react-hot-toast keeps at most 20 of them. */
export function Toasts() {
  return (
    <Toaster
      position="top-right"
      containerClassName={classes['toasts'] ?? ''}
      toastOptions={{
        duration: TOAST_MS.blank,
        success: { duration: TOAST_MS.success },
        error: { duration: TOAST_MS.error },
        loading: { duration: Infinity },
        className: classes['toast'] ?? '',
      }}
    />
  );
}
