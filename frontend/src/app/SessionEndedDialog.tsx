import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { startOf } from '@/features/session/enter';
import { LoginForm } from '@/features/session/LoginForm';
import { useSessionRequired } from '@/shared/session/required';
import { dropSession, postponeLogin, useSession } from '@/shared/session/session';

/** Asks for a new login on top of the current page, so that no input is lost (design §5). */
export function SessionEndedDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const user = session?.user;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  // Without a session the page would be left, and its input lost.
  const required = useSessionRequired();

  /** Repeats the queries that failed without a session. Another user does not get the page of this one. */
  const resume = (loggedIn: User) => {
    if (loggedIn._id === user?._id)
      void queries.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
    else void navigate(startOf(loggedIn), { replace: true });
  };

  return (
    <Modal
      opened
      onClose={required ? postponeLogin : dropSession}
      title={t('session.expired')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('session.expiredHint')}
        </Text>
        <LoginForm
          email={user?.email ?? ''}
          remembered={session?.remembered ?? false}
          over={pathname + search}
          onSuccess={resume}
        />
        <Button variant="subtle" onClick={required ? postponeLogin : dropSession}>
          {required ? t('session.later') : t('session.continueAsGuest')}
        </Button>
      </Stack>
    </Modal>
  );
}
