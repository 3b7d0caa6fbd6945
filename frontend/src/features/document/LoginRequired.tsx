import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface LoginRequiredProps {
  opened: boolean;
  onLogin: () => void;
  /** Also for Escape, a click beside the dialog and its ×. */
  onCancel: () => void;
}

/** A guest wants to save (specification §2): what is needed for it. */
export function LoginRequired({ opened, onLogin, onCancel }: LoginRequiredProps) {
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
