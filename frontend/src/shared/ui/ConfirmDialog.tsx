import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface ConfirmDialogProps {
  opened: boolean;
  /** The question. */
  title: string;
  /** The effect of confirming. */
  text: string;
  /** The labels of the buttons: verbs, not yes and no. */
  confirm: string;
  cancel: string;
  onConfirm: () => void;
  /** Also called for Escape, a click outside the dialog, and its close button. */
  onCancel: () => void;
}

/**
 * Asks for confirmation before data is lost. The safe button has the focus, so that Enter loses nothing. The filled button
 * is the action that the user has asked for.
 */
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
          <Button variant="default" data-autofocus onClick={props.onCancel}>
            {props.cancel}
          </Button>
          <Button onClick={props.onConfirm}>{props.confirm}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
