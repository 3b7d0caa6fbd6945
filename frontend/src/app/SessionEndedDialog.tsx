import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';

import { LoginForm } from '@/features/session/LoginForm';
import { useSessionRequired } from '@/shared/session/required';
import { dropSession, postponeLogin, useSession } from '@/shared/session/session';

/** Asks for a new login on top of the current page, so that no input is lost (design §5). */
export function SessionEndedDialog() {
  const { t } = useTranslation();
  const user = useSession()?.user;
  const queries = useQueryClient();
  const { pathname, search } = useLocation();
  // Without a session the page would be left, and its input lost.
  const required = useSessionRequired();

  /** Repeats the queries that failed without a session. After a change of the user all queries are repeated. */
  const resume = (id: string | null) =>
    void queries.invalidateQueries({
      predicate: (query) => id !== user?._id || query.state.status === 'error',
    });

  const goOnAsGuest = () => {
    dropSession();
    resume(null);
  };

  return (
    <Modal
      opened
      onClose={required ? postponeLogin : goOnAsGuest}
      title={t('session.expired')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('session.expiredHint')}
        </Text>
        <LoginForm
          email={user?.email ?? ''}
          over={pathname + search}
          onSuccess={(loggedIn) => resume(loggedIn._id)}
        />
        <Button variant="subtle" onClick={required ? postponeLogin : goOnAsGuest}>
          {required ? t('session.later') : t('session.continueAsGuest')}
        </Button>
      </Stack>
    </Modal>
  );
}
