import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';

import { askBeforeLeaving } from '@/shared/leaving';

import { ConfirmDialog } from './ConfirmDialog';

interface LeaveGuardProps {
  /** Returns true if there are unsaved changes. */
  unsaved: () => boolean;
  /** Called when the changes are discarded. */
  onDiscard: () => void;
  /** The question on navigation if the changes are kept on the device; only a logout loses them. */
  kept?: { title: string; text: string; confirm: string };
}

/**
 * Asks before unsaved changes are lost: by a dialog on navigation and at a logout, and by the browser's own dialog
 * when the tab is closed or reloaded.
 */
export function LeaveGuard({ unsaved, onDiscard, kept }: LeaveGuardProps) {
  const { t } = useTranslation();
  const latest = useRef(unsaved);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && latest.current(),
  );
  /** The pending question of a logout. Navigation is handled by the router. */
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

  const question =
    kept && answer === null
      ? kept
      : { title: t('leaving.title'), text: t('leaving.text'), confirm: t('leaving.leave') };
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked' || answer !== null}
      title={question.title}
      text={question.text}
      confirm={question.confirm}
      cancel={t('leaving.stay')}
      onConfirm={leave}
      onCancel={stay}
    />
  );
}
