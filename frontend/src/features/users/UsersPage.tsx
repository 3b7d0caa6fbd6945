import { Button, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { ListedUser } from '@/api/types';
import { useListFilters } from '@/shared/listFilters';
import { usePages } from '@/shared/paging';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { SearchField } from '@/shared/ui/SearchField';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { sortChange, toQuery, userFilters, USERS_PER_PAGE } from './filters';
import classes from './UsersPage.module.css';
import { UserAuditLog } from './UserAuditLog';
import { UserTable } from './UserTable';
import { usersQuery, useUserActions } from './useUsers';

/** An action that is waiting for confirmation. */
type UserAction = { kind: 'delete' | 'promote' | 'demote'; user: ListedUser };

/** All users: search by name, order by column, role changes and deletions. */
export function UsersPage() {
  const { t } = useTranslation();
  const { filters, change } = useListFilters(userFilters);
  const query = useQuery({ ...usersQuery(toQuery(filters)), placeholderData: keepPreviousData });
  const { data } = query;
  const results = useRef<HTMLDivElement>(null);
  // Moves the focus to the list, because the focused row disappears.
  const actions = useUserActions(() => results.current?.focus({ preventScroll: true }));
  const [actionToConfirm, setActionToConfirm] = useState<UserAction | null>(null);
  const [auditedUser, setAuditedUser] = useState<ListedUser | null>(null);
  usePageTitle(t('users.title'));

  const { pages, isBeyondLastPage } = usePages(
    query,
    filters.page,
    (page) => change({ page }, true),
    USERS_PER_PAGE,
  );

  const confirm = ({ kind, user }: UserAction) => {
    setActionToConfirm(null);
    if (kind === 'delete') actions.remove.mutate(user);
    else actions.changeRole.mutate({ user, role: kind === 'promote' ? 'admin' : 'user' });
  };

  const skeleton = <RowSkeletons />;
  return (
    <>
      <header className={classes['header']}>
        <h1>{t('users.title')}</h1>
        <p className={classes['total']} role="status">
          {data && t('users.total', { count: data.total })}
        </p>
      </header>
      <div className={classes['toolbar']} role="search">
        <SearchField
          text={filters.userName}
          label={t('users.search')}
          onChange={(userName) => change({ userName }, true)}
        />
      </div>
      <div ref={results} tabIndex={-1} className={classes['results']}>
        <ListState
          query={query}
          failed={t('users.failed')}
          skeleton={skeleton}
          isEmpty={({ total }) => total === 0}
          empty={
            <EmptyList title={t('users.noneFound')} hint={t('users.noneFoundHint')}>
              <Button variant="default" mt="sm" onClick={() => change({ userName: '' })}>
                {t('catalogue.clearSearch')}
              </Button>
            </EmptyList>
          }
        >
          {(page) =>
            isBeyondLastPage ? (
              skeleton
            ) : (
              <>
                <UserTable
                  users={page.users}
                  column={filters.column}
                  descending={filters.descending}
                  onSort={(column) => change(sortChange(filters, column))}
                  onDelete={(user) => setActionToConfirm({ kind: 'delete', user })}
                  onHistory={setAuditedUser}
                  onRole={(user, role) =>
                    setActionToConfirm({ kind: role === 'admin' ? 'promote' : 'demote', user })
                  }
                />
                <Pagination page={filters.page} pages={pages} onChange={(page) => change({ page })} />
              </>
            )
          }
        </ListState>
      </div>
      {auditedUser && <UserAuditLog user={auditedUser} onClose={() => setAuditedUser(null)} />}
      <ConfirmUserAction
        action={actionToConfirm}
        onConfirm={confirm}
        onCancel={() => setActionToConfirm(null)}
      />
    </>
  );
}

interface ConfirmUserActionProps {
  action: UserAction | null;
  onConfirm: (action: UserAction) => void;
  onCancel: () => void;
}

function ConfirmUserAction({ action, onConfirm, onCancel }: ConfirmUserActionProps) {
  const { t } = useTranslation();
  // The last question stays readable while the dialog fades out.
  const [last, setLast] = useState(action);
  if (action && action !== last) setLast(action);
  if (!last) return null;
  const { kind, user } = last;
  // Isolated: a name of the other direction must not reorder the sentence.
  const name = `\u2068${user.name}\u2069`;
  const email = `\u2066${user.email}\u2069`;
  const words = {
    delete: [t('users.deleteTitle'), t('users.deleteText', { name, email }), t('users.deleteConfirm')],
    promote: [t('users.promoteTitle', { name }), t('users.promoteText', { name }), t('users.promoteConfirm')],
    demote: [t('users.demoteTitle', { name }), t('users.demoteText', { name }), t('users.demoteConfirm')],
  } as const;
  const [title, text, confirm] = words[kind];
  return (
    <ConfirmDialog
      opened={action !== null}
      title={title}
      text={text}
      confirm={confirm}
      cancel={t('cancel')}
      onConfirm={() => action && onConfirm(action)}
      onCancel={onCancel}
    />
  );
}

function RowSkeletons() {
  return (
    <Stack gap={8} aria-hidden="true">
      {Array.from({ length: USERS_PER_PAGE }, (_, row) => (
        <Skeleton key={row} height={56} />
      ))}
    </Stack>
  );
}
