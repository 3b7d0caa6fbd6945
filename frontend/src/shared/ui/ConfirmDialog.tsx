import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface ConfirmDialogProps {
  opened: boolean;
  /** The question. */
  title: string;
  /** What happens if it is confirmed. */
  text: string;
  /** The buttons' labels: verbs, not yes and no. */
  confirm: string;
  cancel: string;
  onConfirm: () => void;
  /** Also for Escape, a click beside the dialog and its ×. */
  onCancel: () => void;
}

/** Asks before something is lost. The keyboard is on what loses nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={props.opened}
      onClose={props.onCancel}
      title={props.title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm">{props.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onConfirm}>
            {props.confirm}
          </Button>
          <Button data-autofocus onClick={props.onCancel}>
            {props.cancel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
