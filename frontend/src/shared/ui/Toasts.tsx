import { Button } from '@mantine/core';
import toast, { Toaster, type Toast } from 'react-hot-toast';

import classes from './Toasts.module.css';
import { TOAST_MS, UNDO_MS } from './toastTimes';

/** Short messages at the top right, below the bar. react-hot-toast keeps at most 20 of them. */
export function Toasts() {
  return (
    <Toaster
      position="top-right"
      // Below the bar, whose controls they would cover (app/shell/Shell.module.css).
      containerStyle={{ top: 76 }}
      toastOptions={{
        duration: TOAST_MS.blank,
        success: { duration: TOAST_MS.success },
        error: { duration: TOAST_MS.error },
        loading: { duration: TOAST_MS.loading },
        className: classes['toast'] ?? '',
        // The library's own style sheet comes last.
        style: { background: 'var(--paper)', boxShadow: 'none', color: 'var(--ink)' },
      }}
    />
  );
}

/** Reports a completed action and offers to undo it. The toast stays while it is hovered or focused. */
export function undoToast(text: string, label: string, onUndo: () => void): void {
  // The button loses the focus when it is removed, which must not show the toast again.
  let isUndone = false;
  const content = ({ id }: Toast) => (
    <span className={classes['undo']}>
      <span>{text}</span>
      <Button
        variant="light"
        size="compact-sm"
        onClick={() => {
          isUndone = true;
          toast.dismiss(id);
          onUndo();
        }}
        onFocus={() => toast(content, { id, duration: Infinity })}
        onBlur={() => {
          if (!isUndone) toast(content, { id, duration: UNDO_MS });
        }}
      >
        {label}
      </Button>
    </span>
  );
  toast(content, { duration: UNDO_MS });
}
