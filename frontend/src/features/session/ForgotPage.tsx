import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';

import { errorText } from '@/shared/i18n/errors';
import { Entrance } from '@/shared/ui/Entrance';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { askForReset } from './calls';

/** Mails a password-reset link. The response does not reveal whether the address has an account. */
export function ForgotPage() {
  const { t } = useTranslation();
  const state = (useLocation().state ?? {}) as { email?: string };
  const asked = useMutation({ mutationFn: askForReset, onError: () => form.focusFirstWrong() });
  const form = useCheckedForm<{ email: string }, 'emailRequired'>({
    initialValues: { email: state.email ?? '' },
    check: ({ email }) => (email.trim() ? {} : { email: 'emailRequired' }),
    say: (problem) => t(`forgotPage.${problem}`),
    onChange: () => {
      if (asked.error) asked.reset();
    },
    onSubmit: ({ email }) => asked.mutate({ email: email.trim() }),
  });
  usePageTitle(t('forgotPage.title'));

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
        <form {...form.element}>
          <Stack>
            <TextInput
              label={t('loginPage.email')}
              type="email"
              autoComplete="username"
              dir="ltr"
              autoFocus
              {...form.input('email')}
              error={form.errorOf('email') ?? (asked.error ? errorText(asked.error, t) : null)}
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
