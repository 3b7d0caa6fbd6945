import { ActionIcon, Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { MoreIcon } from '@/shared/ui/icons';

/** The actions of a row besides typing. */
export interface RowMenuActions {
  insertBelow: () => void;
  duplicate: () => void;
  moveUp: () => void;
  moveDown: () => void;
  remove: () => void;
}

interface RowMenuProps {
  /** The accessible name of the button. */
  label: string;
  isFirst: boolean;
  isLast: boolean;
  /** True if the list has its maximum number of rows. */
  isFull: boolean;
  actions: RowMenuActions;
}

/** The menu of a row. */
export function RowMenu({ label, isFirst, isLast, isFull, actions }: RowMenuProps) {
  const { t, i18n } = useTranslation();
  const [isUsed, setUsed] = useState(false);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-haspopup="menu"
      data-row-menu
      // The menu is made when it is opened for the first time, because a list has many of them.
      onClick={isUsed ? undefined : () => setUsed(true)}
    >
      <MoreIcon />
    </ActionIcon>
  );
  if (!isUsed) return button;
  return (
    <Menu position="bottom-end" shadow="md" defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown lang={i18n.language}>
        <Menu.Item disabled={isFull} onClick={actions.insertBelow}>
          {t('list.insertBelow')}
        </Menu.Item>
        <Menu.Item disabled={isFull} onClick={actions.duplicate}>
          {t('list.duplicate')}
        </Menu.Item>
        <Menu.Item disabled={isFirst} onClick={actions.moveUp}>
          {t('list.moveUp')}
        </Menu.Item>
        <Menu.Item disabled={isLast} onClick={actions.moveDown}>
          {t('list.moveDown')}
        </Menu.Item>
        <Menu.Item color="red" onClick={actions.remove}>
          {t('list.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
