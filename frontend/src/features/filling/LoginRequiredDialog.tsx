import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface LoginRequiredProps {
  opened: boolean;
  onLogin: () => void;
  /** Also called for Escape, a click outside the dialog, and its close button. */
  onCancel: () => void;
}

/** Tells a guest who wants to save that a login is needed (specification §2). */
export function LoginRequiredDialog({ opened, onLogin, onCancel }: LoginRequiredProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onCancel}
      title={t('result.requiredLogin')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text>{t('result.loginRequiredMessage')}</Text>
        <Text size="sm" c="dimmed">
          {t('result.loginRequiredHint')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button data-autofocus onClick={onLogin}>
            {t('login')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
