import { Alert, Loader, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { CATALOGUE_PATH, OTP_PATH, REGISTER_PATH } from '@/shared/paths';
import { clearReturnUrl } from '@/shared/session/returnUrl';
import { storePendingRegistration, codeSentState } from '@/shared/session/pendingVerification';
import { useSession } from '@/shared/session/session';
import { useSettings } from '@/shared/settings';
import { StandalonePage } from '@/shared/ui/StandalonePage';
import { LinkButton } from '@/shared/ui/LinkButton';
import { useIsMobile } from '@/shared/ui/useIsMobile';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { LoginForm } from './LoginForm';
import type { OtpState } from './OtpPage';
import { startPath, useNavigateAfterLogin } from './afterLogin';
import { googleFailureText } from './failures';
import { useGoogleReturn } from './useGoogleReturn';

export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const navigateAfterLogin = useNavigateAfterLogin();
  const session = useSession();
  const { google, homeUrl } = useSettings();
  const isPhone = useIsMobile();
  const isLeaving = useRef(false);
  usePageTitle(t('loginPage.title'));

  const handleLogin = (user: User) => {
    isLeaving.current = true;
    navigateAfterLogin(user, startPath(user));
  };
  const googleReturn = useGoogleReturn(google, handleLogin);

  // A user who is already logged in is redirected.
  useEffect(() => {
    if (session && !isLeaving.current && !googleReturn.isBusy)
      void navigate(startPath(session.user), { replace: true });
  }, [session, googleReturn.isBusy, navigate]);

  return (
    <StandalonePage
      title={t('loginPage.title')}
      lead={t('loginPage.lead')}
      below={
        <>
          <span>
            {t('loginPage.noAccount')} <Link to={REGISTER_PATH}>{t('register')}</Link>
          </span>
          {homeUrl && <a href={homeUrl}>{t('loginPage.returnHome')}</a>}
        </>
      }
    >
      {googleReturn.isBusy ? (
        <Stack align="center" py="xl" role="status">
          <Loader />
          {t('loginPage.googleBusy')}
        </Stack>
      ) : (
        <Stack>
          {googleReturn.error !== null && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {googleFailureText(googleReturn.error, t)}
            </Alert>
          )}
          <LoginForm
            onSuccess={handleLogin}
            onUnverified={(userId, email, remember) => {
              storePendingRegistration(userId);
              toast.error(t('loginPage.verifyEmailFirst'));
              const state: OtpState = { email, remember, ...codeSentState() };
              void navigate(OTP_PATH, { state });
            }}
          />
          {/* On a phone there is nothing to open without an account. */}
          {!isPhone && (
            <LinkButton to={CATALOGUE_PATH} variant="subtle" onClick={clearReturnUrl}>
              {t('loginPage.continueAsGuest')}
            </LinkButton>
          )}
        </Stack>
      )}
    </StandalonePage>
  );
}
