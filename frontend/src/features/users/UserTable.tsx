import { ActionIcon, Select, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { ListedUser, User } from '@/api/types';
import { formatDate, formatNumber } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useSession } from '@/shared/session/session';
import { Avatar } from '@/shared/ui/Avatar';
import { AscendingIcon, DescendingIcon, HistoryIcon, TrashIcon } from '@/shared/ui/icons';

import { COLUMNS, type Column } from './filters';
import classes from './UserTable.module.css';

interface UserTableProps {
  users: ListedUser[];
  /** The column of the order; null for newest first. */
  column: Column | null;
  descending: boolean;
  onSort: (column: Column) => void;
  onDelete: (user: ListedUser) => void;
  onRole: (user: ListedUser, role: User['role']) => void;
  onHistory: (user: ListedUser) => void;
}

/**
 * A page of users that its headers sort. On narrow screens a row is a block of lines; explicit ARIA roles then keep
 * the table's semantics.
 */
export function UserTable({ users, column, descending, onSort, ...actions }: UserTableProps) {
  const { t } = useTranslation();
  const titles: Record<Column, string> = {
    _id: t('users.id'),
    name: t('users.user'),
    userName: t('registerPage.userName'),
    email: t('loginPage.email'),
    downloads: t('users.downloads'),
    privateTemplates: t('users.privateTemplates'),
    createdAt: t('users.date'),
  };
  return (
    <Table
      className={classes['table'] ?? ''}
      role="table"
      aria-label={t('users.results')}
      borderColor="var(--line)"
      horizontalSpacing="sm"
      verticalSpacing="xs"
      withRowBorders={false}
      withTableBorder
    >
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {COLUMNS.map((known) => (
            <Table.Th
              key={known}
              role="columnheader"
              scope="col"
              aria-sort={known !== column ? 'none' : descending ? 'descending' : 'ascending'}
            >
              <UnstyledButton
                className={classes['sort'] ?? ''}
                title={t('users.sortBy', { column: titles[known] })}
                onClick={() => onSort(known)}
              >
                {titles[known]}
                <span className={classes['direction']} data-on={known === column || undefined}>
                  {known === column && descending ? (
                    <DescendingIcon size={14} />
                  ) : (
                    <AscendingIcon size={14} />
                  )}
                </span>
              </UnstyledButton>
            </Table.Th>
          ))}
          <Table.Th role="columnheader" scope="col" className={classes['plain'] ?? ''}>
            {t('users.role')}
          </Table.Th>
          <Table.Th role="columnheader" scope="col" className={classes['plain'] ?? ''}>
            <VisuallyHidden>{t('users.actions')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {users.map((user) => (
          <UserRow key={user._id} user={user} titles={titles} {...actions} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface UserRowProps extends Pick<UserTableProps, 'onDelete' | 'onRole' | 'onHistory'> {
  user: ListedUser;
  titles: Record<Column, string>;
}

function UserRow({ user, titles, onDelete, onRole, onHistory }: UserRowProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  // Admins cannot change their own role or delete themselves here.
  const isOwn = useSession()?.user._id === user._id;
  return (
    <Table.Tr role="row">
      <Table.Td role="cell" data-label={titles._id} className={classes['id'] ?? ''}>
        <span dir="ltr">{user._id}</span>
      </Table.Td>
      <Table.Td role="cell" className={classes['person'] ?? ''}>
        <Avatar photo={user.photo} size={36} />
        <bdi>{user.name}</bdi>
      </Table.Td>
      <Table.Td role="cell" data-label={titles.userName}>
        <bdi>{user.userName}</bdi>
      </Table.Td>
      <Table.Td role="cell" data-label={titles.email} className={classes['email'] ?? ''}>
        <span dir="ltr">{user.email}</span>
      </Table.Td>
      <Table.Td role="cell" data-label={titles.downloads} className={classes['number'] ?? ''}>
        {formatNumber(user.downloads, locale)}
      </Table.Td>
      <Table.Td role="cell" data-label={titles.privateTemplates} className={classes['number'] ?? ''}>
        {formatNumber(user.privateTemplates, locale)}
      </Table.Td>
      <Table.Td role="cell" data-label={titles.createdAt} className={classes['date'] ?? ''}>
        {formatDate(user.createdAt, locale)}
      </Table.Td>
      <Table.Td role="cell" data-label={t('users.role')}>
        {isOwn ? (
          <span>
            {t('users.roleAdmin')} ({t('users.you')})
          </span>
        ) : (
          <Select
            size="xs"
            maw={136}
            classNames={{ input: classes['role'] ?? '' }}
            comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
            rightSectionWidth={22}
            aria-label={t('users.roleOf', { name: user.name })}
            allowDeselect={false}
            data={[
              { value: 'user', label: t('users.roleUser') },
              { value: 'admin', label: t('users.roleAdmin') },
            ]}
            value={user.role}
            onChange={(role) => {
              if ((role === 'user' || role === 'admin') && role !== user.role) onRole(user, role);
            }}
          />
        )}
      </Table.Td>
      <Table.Td role="cell" className={classes['actions'] ?? ''}>
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('users.history', { name: user.name })}
          onClick={() => onHistory(user)}
        >
          <HistoryIcon />
        </ActionIcon>
        {!isOwn && (
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t('users.delete', { name: user.name })}
            onClick={() => onDelete(user)}
          >
            <TrashIcon />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
