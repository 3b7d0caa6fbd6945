import { Alert, Loader, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { forgetReturnUrl } from '@/shared/session/returnUrl';
import { awaitRegistration, codeSentNow } from '@/shared/session/pending';
import { useSession } from '@/shared/session/session';
import { useSettings } from '@/shared/settings';
import { Entrance } from '@/shared/ui/Entrance';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { LoginForm } from './LoginForm';
import type { OtpState } from './OtpPage';
import { startOf, useEnter } from './enter';
import { googleFailure } from './failures';
import { useGoogleReturn } from './useGoogleReturn';

export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const enter = useEnter();
  const session = useSession();
  const { google, homeUrl } = useSettings();
  const leaving = useRef(false);
  usePageTitle(t('loginPage.title'));

  const leave = (user: User) => {
    leaving.current = true;
    enter(startOf(user));
  };
  const returned = useGoogleReturn(google, leave);

  // A user who is already logged in is redirected.
  useEffect(() => {
    if (session && !leaving.current && !returned.busy)
      void navigate(startOf(session.user), { replace: true });
  }, [session, returned.busy, navigate]);

  return (
    <Entrance
      title={t('loginPage.title')}
      lead={t('loginPage.lead')}
      below={
        <>
          <span>
            {t('loginPage.noAccount')} <Link to="/register">{t('register')}</Link>
          </span>
          {homeUrl && <a href={homeUrl}>{t('loginPage.returnHome')}</a>}
        </>
      }
    >
      {returned.busy ? (
        <Stack align="center" py="xl" role="status">
          <Loader />
          {t('loginPage.googleBusy')}
        </Stack>
      ) : (
        <Stack>
          {returned.error !== null && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {googleFailure(returned.error, t)}
            </Alert>
          )}
          <LoginForm
            onSuccess={leave}
            onUnverified={(userId, email, remember) => {
              awaitRegistration(userId);
              toast.error(t('loginPage.verifyEmailFirst'));
              const state: OtpState = { email, remember, ...codeSentNow() };
              void navigate('/otp-verification', { state });
            }}
          />
          <LinkButton to="/user-home/user-all-documents" variant="subtle" onClick={forgetReturnUrl}>
            {t('loginPage.continueAsGuest')}
          </LinkButton>
        </Stack>
      )}
    </Entrance>
  );
}
