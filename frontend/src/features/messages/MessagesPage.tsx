import { Button, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import { EmptyList, ListState } from '@/shared/ui/ListState';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { MessageSheet } from './MessageSheet';
import classes from './MessagesPage.module.css';
import { useMessages, type MessageStatus } from './useMessages';

/** The messages of the help center, which admins read, reply to and close. */
export function MessagesPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const status: MessageStatus = search.get('status') === 'closed' ? 'closed' : 'open';
  const query = useMessages(status);
  const list = useRef<HTMLDivElement>(null);
  usePageTitle(t('messages.title'));
  return (
    <div className={classes['page']}>
      <h1>{t('messages.title')}</h1>
      <p className={classes['lead']}>{t('messages.lead')}</p>
      <SegmentedControl
        aria-label={t('messages.status')}
        className={classes['status'] ?? ''}
        data={[
          { value: 'open', label: t('messages.open') },
          { value: 'closed', label: t('messages.closed') },
        ]}
        value={status}
        onChange={(value) => setSearch(value === 'closed' ? { status: 'closed' } : {})}
      />
      <div ref={list} tabIndex={-1} className={classes['list']}>
        <ListState
          query={{ ...query, isPlaceholderData: false }}
          failed={t('messages.failed')}
          skeleton={<Skeletons />}
          isEmpty={({ pages }) => pages.every(({ supportMessages }) => supportMessages.length === 0)}
          empty={
            <EmptyList
              title={status === 'open' ? t('messages.emptyOpen') : t('messages.emptyClosed')}
              hint={status === 'open' ? t('messages.emptyOpenHint') : t('messages.emptyClosedHint')}
            />
          }
        >
          {({ pages }) => (
            <ul aria-label={t('messages.results')} className={classes['messages']}>
              {pages
                .flatMap(({ supportMessages }) => supportMessages)
                .map((message) => (
                  <li key={message._id}>
                    <MessageSheet
                      message={message}
                      // Moves the focus to the list, because the focused message disappears.
                      onLeaveList={() => list.current?.focus({ preventScroll: true })}
                    />
                  </li>
                ))}
            </ul>
          )}
        </ListState>
        {query.hasNextPage && (
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('messages.older')}
          </Button>
        )}
      </div>
    </div>
  );
}

function Skeletons() {
  return (
    <Stack gap={16} aria-hidden="true">
      {[0, 1, 2].map((index) => (
        <Skeleton key={index} height={160} />
      ))}
    </Stack>
  );
}
