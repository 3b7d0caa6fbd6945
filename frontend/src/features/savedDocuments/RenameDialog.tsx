import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import type { SavedDocument } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { renameDocument } from '@/shared/savedDocuments/calls';
import { refreshSavedDocuments } from '@/shared/savedDocuments/useSavedDocument';
import { LIMITS } from '@/shared/settings';

interface RenameDialogProps {
  document: SavedDocument;
  onClose: () => void;
}

/** Changes the title of a saved document. Its pages and values stay. */
export function RenameDialog({ document, onClose }: RenameDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [title, setTitle] = useState(document.title);
  const rename = useMutation({
    mutationFn: () => renameDocument(document._id, title.trim(), document.version),
    onSuccess: () => {
      refreshSavedDocuments(queryClient, document._id);
      toast.success(t('documentPages.renamed'));
      onClose();
    },
    // A document that was changed elsewhere is shown as it is now.
    onError: () => refreshSavedDocuments(queryClient, document._id),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('documentPages.renameTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim()) rename.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={t('documentPages.documentName')}
            data-autofocus
            autoComplete="off"
            dir="auto"
            maxLength={LIMITS.titleCharacters}
            error={rename.error ? errorText(rename.error, t) : undefined}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={rename.isPending} disabled={!title.trim()}>
              {t('documentPages.rename')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
