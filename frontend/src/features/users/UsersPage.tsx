import { Button, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import type { ListedUser } from '@/api/types';
import { pagesOf } from '@/shared/paging';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { TitleSearch } from '@/shared/ui/TitleSearch';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { filtersOf, queryOf, searched, searchOf, sorted, USERS_PER_PAGE, type Filters } from './filters';
import classes from './UsersPage.module.css';
import { UserHistory } from './UserHistory';
import { UserTable } from './UserTable';
import { usersQuery, useUserActions } from './useUsers';

/** An action that is waiting for confirmation. */
type Asked = { what: 'delete' | 'promote' | 'demote'; user: ListedUser };

/** All users: search by name, order by column, role changes and deletions. */
export function UsersPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const filters = filtersOf(search);
  const query = useQuery({ ...usersQuery(queryOf(filters)), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  const results = useRef<HTMLDivElement>(null);
  // Moves the focus to the list, because the focused row disappears.
  const actions = useUserActions(() => results.current?.focus({ preventScroll: true }));
  const [asked, setAsked] = useState<Asked | null>(null);
  const [looked, setLooked] = useState<ListedUser | null>(null);
  usePageTitle(t('users.title'));

  const change = (to: (now: Filters) => Filters, typing = false) =>
    setSearch((now) => searchOf(to(filtersOf(now))), { replace: typing, preventScrollReset: true });

  const pages = pagesOf(data?.total ?? 0, USERS_PER_PAGE);
  const beyond = data !== undefined && !isPlaceholderData && filters.page > pages;
  // The last user of the last page was deleted, or the URL has a page number that is too high.
  useEffect(() => {
    if (beyond) change((now) => ({ ...now, page: pages }), true);
  });

  const confirm = ({ what, user }: Asked) => {
    setAsked(null);
    if (what === 'delete') actions.remove.mutate(user);
    else actions.changeRole.mutate({ user, role: what === 'promote' ? 'admin' : 'user' });
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
        <TitleSearch
          title={filters.userName}
          label={t('users.search')}
          onChange={(userName) => change((now) => searched(now, userName), true)}
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
              <Button variant="default" mt="sm" onClick={() => change((now) => searched(now, ''))}>
                {t('catalogue.clearSearch')}
              </Button>
            </EmptyList>
          }
        >
          {(found) =>
            beyond ? (
              skeleton
            ) : (
              <>
                <UserTable
                  users={found.users}
                  column={filters.column}
                  descending={filters.descending}
                  onSort={(column) => change((now) => sorted(now, column))}
                  onDelete={(user) => setAsked({ what: 'delete', user })}
                  onHistory={setLooked}
                  onRole={(user, role) => setAsked({ what: role === 'admin' ? 'promote' : 'demote', user })}
                />
                <Pagination
                  page={filters.page}
                  pages={pages}
                  onChange={(page) => change((now) => ({ ...now, page }))}
                />
              </>
            )
          }
        </ListState>
      </div>
      {looked && <UserHistory user={looked} onClose={() => setLooked(null)} />}
      <Question asked={asked} onConfirm={confirm} onCancel={() => setAsked(null)} />
    </>
  );
}

interface QuestionProps {
  asked: Asked | null;
  onConfirm: (asked: Asked) => void;
  onCancel: () => void;
}

function Question({ asked, onConfirm, onCancel }: QuestionProps) {
  const { t } = useTranslation();
  // The last question stays readable while the dialog fades out.
  const [last, setLast] = useState(asked);
  if (asked && asked !== last) setLast(asked);
  if (!last) return null;
  const { what, user } = last;
  // Isolated: a name of the other direction must not reorder the sentence.
  const name = `\u2068${user.name}\u2069`;
  const email = `\u2066${user.email}\u2069`;
  const words = {
    delete: [t('users.deleteTitle'), t('users.deleteText', { name, email }), t('users.deleteConfirm')],
    promote: [t('users.promoteTitle', { name }), t('users.promoteText', { name }), t('users.promoteConfirm')],
    demote: [t('users.demoteTitle', { name }), t('users.demoteText', { name }), t('users.demoteConfirm')],
  } as const;
  const [title, text, confirm] = words[what];
  return (
    <ConfirmDialog
      opened={asked !== null}
      title={title}
      text={text}
      confirm={confirm}
      cancel={t('cancel')}
      onConfirm={() => asked && onConfirm(asked)}
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
