import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { CopyIcon, DownloadIcon, MoreIcon, TrashIcon } from '@/shared/ui/icons';

import classes from './DocumentMenu.module.css';
import type { Actions } from './useActions';

interface DocumentMenuProps {
  title: string;
  actions: Actions;
  /** With the downloads, where there are no buttons for them. */
  downloads?: boolean;
  size?: 'input-xs' | 'input-sm';
}

/** The rarer things to do with a saved document. */
export function DocumentMenu({ title, actions, downloads, size = 'input-xs' }: DocumentMenuProps) {
  const { t } = useTranslation();
  const { download, duplicate, remove } = actions;
  const busy = download.isPending || duplicate.isPending || remove.isPending;
  return (
    <Menu
      position="bottom-end"
      transitionProps={{ duration: 100 }}
      shadow="none"
      withinPortal={false}
      // An element of Mantine's own that is no entry; the first entry gets the keyboard instead.
      withInitialFocusPlaceholder={false}
      classNames={{ item: classes['item'] ?? '' }}
    >
      <Menu.Target>
        <ActionIcon variant="default" size={size} loading={busy} aria-label={t('saved.more', { title })}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {downloads && (
          <>
            <Menu.Item leftSection={<DownloadIcon />} onClick={() => download.mutate('pdf')}>
              {t('result.downloadPdf')}
            </Menu.Item>
            <Menu.Item leftSection={<DownloadIcon />} onClick={() => download.mutate('docx')}>
              {t('result.downloadWord')}
            </Menu.Item>
          </>
        )}
        <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate()}>
          {t('saved.duplicate')}
        </Menu.Item>
        <Menu.Item color="var(--harm)" leftSection={<TrashIcon />} onClick={() => remove.mutate()}>
          {t('saved.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
