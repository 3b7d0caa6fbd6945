import { Button, Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogCellProps {
  path: string;
  /** The accessible name of the cell. */
  name: string;
  /** The state of the value, which screen readers read after the name. */
  state: string;
  /** The template's language (BCP 47). */
  lang: string;
  size?: 'md' | 'xl';
  /** The content of the button. */
  button: ReactNode;
  onFocus: () => void;
  /** The content of the dialog. It gets the function that closes the dialog. */
  children: (close: () => void) => ReactNode;
}

/** A cell whose value needs more room than a row has: a button that opens a dialog. */
export function DialogCell({
  path,
  name,
  state,
  lang,
  size = 'md',
  button,
  onFocus,
  children,
}: DialogCellProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        fullWidth
        h="2.125rem"
        data-input={path}
        aria-label={`${name}: ${state}`}
        aria-haspopup="dialog"
        onFocus={onFocus}
        onClick={() => setOpened(true)}
      >
        {button}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={<span lang={lang}>{name}</span>}
        size={size}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {children(close)}
      </Modal>
    </>
  );
}
