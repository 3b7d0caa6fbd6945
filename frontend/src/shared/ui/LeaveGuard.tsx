import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';

import { askBeforeLeaving } from '@/shared/leaving';

import { ConfirmDialog } from './ConfirmDialog';

interface LeaveGuardProps {
  /** Returns true if there are unsaved changes. */
  hasUnsavedChanges: () => boolean;
  /** Called when the changes are discarded. */
  onDiscard: () => void;
  /** The question on navigation if the changes are kept on the device; only a logout loses them. */
  keptQuestion?: { title: string; text: string; confirm: string };
}

/**
 * Asks before unsaved changes are lost: by a dialog on navigation and at a logout, and by the browser's own dialog
 * when the tab is closed or reloaded.
 */
export function LeaveGuard({ hasUnsavedChanges, onDiscard, keptQuestion }: LeaveGuardProps) {
  const { t } = useTranslation();
  const latestCheck = useRef(hasUnsavedChanges);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && latestCheck.current(),
  );
  /** Answers the pending question of a logout; null if there is none. The router handles navigation. */
  const [answerLogout, setAnswerLogout] = useState<((leave: boolean) => void) | null>(null);

  useEffect(() => {
    latestCheck.current = hasUnsavedChanges;
  });

  useEffect(() => {
    const beforeUnload = (event: BeforeUnloadEvent) => {
      if (latestCheck.current()) event.preventDefault();
    };
    window.addEventListener('beforeunload', beforeUnload);
    return () => window.removeEventListener('beforeunload', beforeUnload);
  }, []);

  useEffect(
    () =>
      askBeforeLeaving(() =>
        latestCheck.current()
          ? new Promise((answered) => setAnswerLogout(() => answered))
          : Promise.resolve(true),
      ),
    [],
  );

  const stay = () => {
    blocker.reset?.();
    answerLogout?.(false);
    setAnswerLogout(null);
  };

  const leave = () => {
    onDiscard();
    blocker.proceed?.();
    answerLogout?.(true);
    setAnswerLogout(null);
  };

  const question =
    keptQuestion && answerLogout === null
      ? keptQuestion
      : { title: t('leaving.title'), text: t('leaving.text'), confirm: t('leaving.leave') };
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked' || answerLogout !== null}
      title={question.title}
      text={question.text}
      confirm={question.confirm}
      cancel={t('leaving.stay')}
      onConfirm={leave}
      onCancel={stay}
    />
  );
}
