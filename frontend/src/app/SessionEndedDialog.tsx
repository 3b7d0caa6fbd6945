import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { startPath } from '@/features/session/afterLogin';
import { LoginForm } from '@/features/session/LoginForm';
import { useSessionRequired } from '@/shared/session/requireSession';
import { dropSession, postponeLogin, useSession } from '@/shared/session/session';

/** Asks for a new login on top of the current page, so that no input is lost (design §5). */
export function SessionEndedDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const user = session?.user;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  // Without a session the page would be left, and its input lost.
  const isSessionRequired = useSessionRequired();

  /** Repeats the queries that failed without a session. Another user does not get the page of this one. */
  const resume = (loggedIn: User) => {
    if (loggedIn._id === user?._id)
      void queryClient.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
    else void navigate(startPath(loggedIn), { replace: true });
  };

  return (
    <Modal
      opened
      onClose={isSessionRequired ? postponeLogin : dropSession}
      title={t('session.expired')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('session.expiredHint')}
        </Text>
        <LoginForm
          email={user?.email ?? ''}
          wasRemembered={session?.remembered ?? false}
          coveredPath={pathname + search}
          onSuccess={resume}
        />
        <Button variant="subtle" onClick={isSessionRequired ? postponeLogin : dropSession}>
          {isSessionRequired ? t('session.later') : t('session.continueAsGuest')}
        </Button>
      </Stack>
    </Modal>
  );
}
