import { ActionIcon, Menu } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { SavedDocument } from '@/api/types';
import { CopyIcon, DownloadIcon, EditIcon, MoreIcon, TrashIcon } from '@/shared/ui/icons';

import classes from './DocumentMenu.module.css';
import type { SavedDocumentActions } from './useSavedDocumentActions';

const RenameDialog = lazy(() =>
  import('./RenameDialog').then((dialog) => ({ default: dialog.RenameDialog })),
);

interface DocumentMenuProps {
  document: SavedDocument;
  actions: SavedDocumentActions;
  /** True to include the downloads if the page has no buttons for them. */
  showsDownloads?: boolean;
  size?: 'input-xs' | 'input-sm';
}

/** The menu of less frequent actions for a saved document. */
export function DocumentMenu({ document, actions, showsDownloads, size = 'input-xs' }: DocumentMenuProps) {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  const { title } = document;
  const { download, duplicate, remove } = actions;
  const isBusy = download.isPending || duplicate.isPending || remove.isPending;
  return (
    <>
      <Menu
        position="bottom-end"
        transitionProps={{ duration: 100 }}
        shadow="none"
        withinPortal={false}
        // Mantine's placeholder is not a menu item; the first item gets the focus instead.
        withInitialFocusPlaceholder={false}
        classNames={{ item: classes['item'] ?? '' }}
      >
        <Menu.Target>
          <ActionIcon variant="default" size={size} loading={isBusy} aria-label={t('saved.more', { title })}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {showsDownloads && (
            <>
              <Menu.Item leftSection={<DownloadIcon />} onClick={() => download.mutate('pdf')}>
                {t('result.downloadPdf')}
              </Menu.Item>
              <Menu.Item leftSection={<DownloadIcon />} onClick={() => download.mutate('docx')}>
                {t('result.downloadWord')}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<EditIcon />} onClick={() => setRenaming(true)}>
            {t('documentPages.rename')}
          </Menu.Item>
          <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate()}>
            {t('saved.duplicate')}
          </Menu.Item>
          <Menu.Item color="var(--harm)" leftSection={<TrashIcon />} onClick={() => remove.mutate()}>
            {t('saved.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRenaming && (
        <Suspense>
          <RenameDialog document={document} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  );
}
