import { Button, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { hasSessionEnded } from '@/api/error';
import { useErrorText } from '@/shared/i18n/useErrorText';

import classes from './CategoriesPage.module.css';

interface CategoryDialogProps {
  title: string;
  error: unknown;
  isBusy: boolean;
  submitLabel: string;
  disabled?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with the form of a change, and the failure of the last attempt. */
export function CategoryDialog({
  title,
  error,
  isBusy,
  submitLabel,
  disabled,
  onSubmit,
  onClose,
  children,
}: CategoryDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          {children}
          {error !== null && !hasSessionEnded(error) && (
            <Text size="sm" c="var(--harm)" role="alert">
              {errorText(error)}
            </Text>
          )}
          <div className={classes['end']}>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={disabled ?? false}>
              {submitLabel}
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
