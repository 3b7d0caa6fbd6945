import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';

import { errorText } from '@/shared/i18n/errors';
import { Entrance } from '@/shared/ui/Entrance';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { askForReset } from './calls';

/** Mails a link to a new password; the answer is the same whether or not the address has an account. */
export function ForgotPage() {
  const { t } = useTranslation();
  const state = (useLocation().state ?? {}) as { email?: string };
  const [email, setEmail] = useState(state.email ?? '');
  const [empty, setEmpty] = useState(false);
  const asked = useMutation({ mutationFn: askForReset });
  usePageTitle(t('forgotPage.title'));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setEmpty(!email.trim());
    if (email.trim()) asked.mutate({ email: email.trim() });
  };
  const error = empty ? t('forgotPage.emailRequired') : asked.error ? errorText(asked.error, t) : null;

  return (
    <Entrance
      title={asked.isSuccess ? t('forgotPage.sent') : t('forgotPage.title')}
      lead={asked.isSuccess ? undefined : t('forgotPage.lead')}
      below={<Link to="/login">{t('forgotPage.toLogin')}</Link>}
    >
      {asked.isSuccess ? (
        <Stack role="status">
          <p>
            <bdi dir="ltr" className="address">
              {asked.variables.email}
            </bdi>
          </p>
          <p>{t('forgotPage.sentHint')}</p>
          <Button variant="default" onClick={() => asked.reset()}>
            {t('forgotPage.otherAddress')}
          </Button>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={t('loginPage.email')}
              type="email"
              name="email"
              autoComplete="username"
              dir="ltr"
              autoFocus
              error={error}
              value={email}
              onChange={(event) => {
                setEmail(event.currentTarget.value);
                setEmpty(false);
                if (asked.error) asked.reset();
              }}
            />
            <Button type="submit" loading={asked.isPending} fullWidth>
              {t('forgotPage.submit')}
            </Button>
          </Stack>
        </form>
      )}
    </Entrance>
  );
}
