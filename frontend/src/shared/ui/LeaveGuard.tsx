import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';

import { askBeforeLeaving } from '@/shared/leaving';

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
    <Modal
      opened={blocker.state === 'blocked' || answer !== null}
      onClose={stay}
      title={t('leaving.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm">{t('leaving.text')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {t('leaving.leave')}
          </Button>
          <Button data-autofocus onClick={stay}>
            {t('leaving.stay')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
