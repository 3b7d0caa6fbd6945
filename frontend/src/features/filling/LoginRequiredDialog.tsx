import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface LoginRequiredProps {
  opened: boolean;
  onRegister: () => void;
  onLogin: () => void;
  /** Also called for Escape, a click outside the dialog, and its close button. */
  onCancel: () => void;
}

/** Tells a guest who wants to save that a login is needed (specification §2). Most guests have no account yet. */
export function LoginRequiredDialog({ opened, onRegister, onLogin, onCancel }: LoginRequiredProps) {
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
          <Button variant="subtle" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button variant="default" onClick={onLogin}>
            {t('login')}
          </Button>
          <Button data-autofocus onClick={onRegister}>
            {t('registerPage.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
