import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { ApiError } from '@/api/error';
import { errorText } from '@/shared/i18n/errors';
import { LOGIN_PATH, REVERT_EMAIL_PATH } from '@/shared/paths';
import { dropSession } from '@/shared/session/session';
import { StandalonePage } from '@/shared/ui/StandalonePage';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { revertEmailChange } from './calls';
import { useMailedToken } from './useMailedToken';

/**
 * Reverts an e-mail change by a mailed link. Opening the link alone has no effect, because mail scanners open links
 * before users do.
 */
export function RevertEmailPage() {
  const { t } = useTranslation();
  const token = useMailedToken(REVERT_EMAIL_PATH);
  usePageTitle(t('restorePage.title'));
  const revert = useMutation({
    mutationFn: revertEmailChange,
    // The change has ended every session, also in this browser.
    onSuccess: () => dropSession(),
  });
  const { error } = revert;
  const refused = !token || (error instanceof ApiError && FINAL_CODES.has(error.code));

  return (
    <StandalonePage
      title={revert.isSuccess ? t('restorePage.done') : t('restorePage.title')}
      lead={refused || revert.isSuccess ? undefined : t('restorePage.lead')}
      below={<Link to={LOGIN_PATH}>{t('forgotPage.toLogin')}</Link>}
    >
      {revert.isSuccess ? (
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
              <Button onClick={() => revert.mutate(token)} loading={revert.isPending} fullWidth>
                {t('restorePage.submit')}
              </Button>
            </>
          )}
        </Stack>
      )}
    </StandalonePage>
  );
}

/** Refusals that a second try cannot change. */
const FINAL_CODES = new Set(['invalid_restore_link', 'email_taken']);
