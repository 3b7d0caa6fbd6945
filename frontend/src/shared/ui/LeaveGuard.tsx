import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';

import { askBeforeLeaving } from '@/shared/leaving';

import { ConfirmDialog } from './ConfirmDialog';

interface LeaveGuardProps {
  /** Whether there is something to lose at this moment. */
  unsaved: () => boolean;
  /** Called when it is given up. */
  onDiscard: () => void;
}

/**
 * Keeps what is not saved from being lost unasked: on the way to another page and at a logout by a dialog, when the tab is closed
 * or loaded again by the browser's own.
 */
export function LeaveGuard({ unsaved, onDiscard }: LeaveGuardProps) {
  const { t } = useTranslation();
  const latest = useRef(unsaved);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && latest.current(),
  );
  /** Who waits for an answer besides the router. */
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null);

  useEffect(() => {
    latest.current = unsaved;
  });

  useEffect(() => {
    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault();
    };
    window.addEventListener('beforeunload', beforeUnload);
    return () => window.removeEventListener('beforeunload', beforeUnload);
  }, []);

  useEffect(
    () =>
      askBeforeLeaving(() =>
        latest.current() ? new Promise((answered) => setAnswer(() => answered)) : Promise.resolve(true),
      ),
    [],
  );

  const stay = () => {
    blocker.reset?.();
    answer?.(false);
    setAnswer(null);
  };

  const leave = () => {
    onDiscard();
    blocker.proceed?.();
    answer?.(true);
    setAnswer(null);
  };

  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked' || answer !== null}
      title={t('leaving.title')}
      text={t('leaving.text')}
      confirm={t('leaving.leave')}
      cancel={t('leaving.stay')}
      onConfirm={leave}
      onCancel={stay}
    />
  );
}
