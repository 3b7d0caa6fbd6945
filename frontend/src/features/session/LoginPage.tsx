import { Button, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { takeReturnUrl } from '@/shared/session/returnUrl';
import { useSession } from '@/shared/session/session';
import { HOME_URL } from '@/shared/settings';
import { Brand } from '@/shared/ui/Brand';
import { LanguageSelect } from '@/shared/ui/LanguageSelect';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { LoginForm } from './LoginForm';
import classes from './LoginPage.module.css';

/** Where a login leads when no page asked for it (specification §4). */
function startOf(user: User): string {
  return user.role === 'admin' ? '/' : '/user-home/user-all-documents';
}

export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const leaving = useRef(false);
  usePageTitle(t('loginPage.title'));

  // Somebody who is logged in already has nothing to do here.
  useEffect(() => {
    if (session && !leaving.current) void navigate(startOf(session.user), { replace: true });
  }, [session, navigate]);

  return (
    <div className={classes['page']}>
      <header className={classes['bar']}>
        <Brand />
        <LanguageSelect />
      </header>
      <main className={classes['middle']}>
        <section className={classes['sheet']} aria-labelledby="login-title">
          <Stack gap={4} mb="lg">
            <h1 id="login-title">{t('loginPage.title')}</h1>
            <p className={classes['lead']}>{t('loginPage.lead')}</p>
          </Stack>
          <LoginForm
            onSuccess={(user) => {
              leaving.current = true;
              void navigate(takeReturnUrl() ?? startOf(user), { replace: true });
            }}
          />
          <Stack gap={8} mt="md" align="stretch">
            <LinkButton to="/user-home/user-all-documents" variant="default">
              {t('loginPage.continueAsGuest')}
            </LinkButton>
            {HOME_URL && (
              <Button component="a" href={HOME_URL} variant="subtle">
                {t('loginPage.returnHome')}
              </Button>
            )}
          </Stack>
        </section>
      </main>
    </div>
  );
}
