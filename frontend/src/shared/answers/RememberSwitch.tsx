import { Alert, Button, Group, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';

import { forgetDevice } from './device';
import { sayFailure } from './failure';
import type { KnownAnswersHere } from './useKnownAnswers';

/**
 * The switch for saving answers, with a text that says where they are saved. Switching off erases them, so it asks
 * first.
 */
export function RememberSwitch({ known }: { known: KnownAnswersHere }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  /** The new state, shown before the server has answered. */
  const [turning, setTurning] = useState<boolean | null>(null);
  const { place, on, answers, left, busy } = known;
  const attempt = (change: Promise<void>) => change.catch((error: unknown) => sayFailure(error, t));
  const turn = (to: boolean) => {
    setTurning(to);
    void attempt(known.turn(to)).then(() => setTurning(null));
  };
  return (
    <>
      <Switch
        label={t(`answers.remember.${place}`)}
        description={t(`answers.rememberHint.${place}`)}
        checked={turning ?? on ?? false}
        disabled={on === undefined}
        onChange={({ currentTarget: { checked } }) => {
          if (turning !== null) return;
          if (!checked && answers.length > 0) setAsking(true);
          else turn(checked);
        }}
      />
      {on && left > 0 && (
        <Alert mt="md" color="teal" variant="light">
          <Text size="sm">{t('answers.left', { count: left })}</Text>
          <Group gap="xs" mt="xs">
            <Button size="compact-sm" loading={busy} onClick={() => void attempt(known.takeOver())}>
              {t('answers.takeOver')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={forgetDevice}>
              {t('answers.eraseLeft')}
            </Button>
          </Group>
        </Alert>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('answers.offTitle')}
        text={t('answers.offText', { count: answers.length })}
        confirm={t('answers.offConfirm')}
        cancel={t('cancel')}
        onConfirm={() => {
          setAsking(false);
          turn(false);
        }}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
