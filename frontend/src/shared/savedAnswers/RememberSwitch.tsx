import { Alert, Button, Group, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';

import { disableDeviceAnswers } from './device';
import { showAnswersFailure } from './showAnswersFailure';
import type { SavedAnswersState } from './useSavedAnswers';

/**
 * The switch for saving answers, with a text that says where they are saved. Switching off deletes them, so it asks
 * for confirmation.
 */
export function RememberSwitch({ savedAnswers }: { savedAnswers: SavedAnswersState }) {
  const { t } = useTranslation();
  const [isConfirming, setConfirming] = useState(false);
  /** The new state, shown until the server has responded. */
  const [requestedState, setRequestedState] = useState<boolean | null>(null);
  const { storedIn, isEnabled, answers, guestAnswerCount, isBusy } = savedAnswers;
  const reportFailure = (change: Promise<void>) =>
    change.catch((error: unknown) => showAnswersFailure(error, t));
  const switchTo = (to: boolean) => {
    setRequestedState(to);
    void reportFailure(savedAnswers.setEnabled(to)).then(() => setRequestedState(null));
  };
  return (
    <>
      <Switch
        label={t(`answers.remember.${storedIn}`)}
        description={t(`answers.rememberHint.${storedIn}`)}
        checked={requestedState ?? isEnabled ?? false}
        disabled={isEnabled === undefined}
        onChange={({ currentTarget: { checked } }) => {
          if (requestedState !== null) return;
          if (!checked && answers.length > 0) setConfirming(true);
          else switchTo(checked);
        }}
      />
      {isEnabled && guestAnswerCount > 0 && (
        <Alert mt="md" color="teal" variant="light">
          <Text size="sm">{t('answers.left', { count: guestAnswerCount })}</Text>
          <Group gap="xs" mt="xs">
            <Button
              size="compact-sm"
              loading={isBusy}
              onClick={() => void reportFailure(savedAnswers.importGuestAnswers())}
            >
              {t('answers.takeOver')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={disableDeviceAnswers}>
              {t('answers.eraseLeft')}
            </Button>
          </Group>
        </Alert>
      )}
      <ConfirmDialog
        opened={isConfirming}
        title={t('answers.offTitle')}
        text={t('answers.offText', { count: answers.length })}
        confirm={t('answers.offConfirm')}
        cancel={t('cancel')}
        onConfirm={() => {
          setConfirming(false);
          switchTo(false);
        }}
        onCancel={() => setConfirming(false)}
      />
    </>
  );
}
