import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { ApiError } from '@/api/error';
import { errorText } from '@/shared/i18n/errors';
import { dropSession } from '@/shared/session/session';
import { Entrance } from '@/shared/ui/Entrance';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { restoreEmail } from './calls';
import { useMailedToken } from './useMailedToken';

/**
 * Reverts an e-mail change by a mailed link. Opening the link alone has no effect, because mail scanners open links
 * before users do.
 */
export function RestorePage() {
  const { t } = useTranslation();
  const token = useMailedToken('/restore-email');
  usePageTitle(t('restorePage.title'));
  const restored = useMutation({
    mutationFn: restoreEmail,
    // The change has ended every session, also in this browser.
    onSuccess: () => dropSession(),
  });
  const { error } = restored;
  const refused = !token || (error instanceof ApiError && ENDED.has(error.code));

  return (
    <Entrance
      title={restored.isSuccess ? t('restorePage.done') : t('restorePage.title')}
      lead={refused || restored.isSuccess ? undefined : t('restorePage.lead')}
      below={<Link to="/login">{t('forgotPage.toLogin')}</Link>}
    >
      {restored.isSuccess ? (
        <p role="status">{t('restorePage.doneHint')}</p>
      ) : (
        <Stack>
          {(refused || error) && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {error ? errorText(error, t) : t('errors.invalid_restore_link')}
            </Alert>
          )}
          {!refused && (
            <>
              <ul>
                <li>{t('restorePage.sessions')}</li>
                <li>{t('restorePage.password')}</li>
              </ul>
              <Button onClick={() => restored.mutate(token)} loading={restored.isPending} fullWidth>
                {t('restorePage.submit')}
              </Button>
            </>
          )}
        </Stack>
      )}
    </Entrance>
  );
}

/** Refusals that a second try cannot change. */
const ENDED = new Set(['invalid_restore_link', 'email_taken']);
