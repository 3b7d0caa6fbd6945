import { Button, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { LoginForm } from '@/features/session/LoginForm';
import { dropSession, useSessionEnded } from '@/shared/session/session';

/** Asks for a new login over the page as it stands, so that nothing entered is lost (design §5). */
export function SessionEndedDialog() {
  const { t } = useTranslation();
  const ended = useSessionEnded();
  return (
    <Modal
      opened={ended}
      onClose={dropSession}
      title={t('session.expired')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('session.expiredHint')}
        </Text>
        <LoginForm onSuccess={() => undefined} />
        <Button variant="subtle" onClick={dropSession}>
          {t('session.continueAsGuest')}
        </Button>
      </Stack>
    </Modal>
  );
}
