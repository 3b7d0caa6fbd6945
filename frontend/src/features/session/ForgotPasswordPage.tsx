import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';

import { errorText } from '@/shared/i18n/errors';
import { LOGIN_PATH } from '@/shared/paths';
import { StandalonePage } from '@/shared/ui/StandalonePage';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { useEmailHint } from '@/shared/ui/useEmailHint';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { requestPasswordReset } from './calls';

/** Mails a password-reset link. The response does not reveal whether the address has an account. */
export function ForgotPasswordPage() {
  const { t } = useTranslation();
  const state = (useLocation().state ?? {}) as { email?: string };
  const resetRequest = useMutation({
    mutationFn: requestPasswordReset,
    onError: () => form.focusFirstInvalid(),
  });
  const form = useCheckedForm<{ email: string }, 'emailRequired'>({
    initialValues: { email: state.email ?? '' },
    findProblems: ({ email }) => (email.trim() ? {} : { email: 'emailRequired' }),
    problemText: (problem) => t(`forgotPage.${problem}`),
    onChange: () => {
      if (resetRequest.error) resetRequest.reset();
    },
    onSubmit: ({ email }) => resetRequest.mutate({ email: email.trim() }),
  });
  const { emailHint, onEmailFocus, onEmailBlur } = useEmailHint(form.values.email);
  usePageTitle(t('forgotPage.title'));

  return (
    <StandalonePage
      title={resetRequest.isSuccess ? t('forgotPage.sent') : t('forgotPage.title')}
      lead={resetRequest.isSuccess ? undefined : t('forgotPage.lead')}
      below={<Link to={LOGIN_PATH}>{t('forgotPage.toLogin')}</Link>}
    >
      {resetRequest.isSuccess ? (
        <Stack role="status">
          <p>
            <bdi dir="ltr" className="address">
              {resetRequest.variables.email}
            </bdi>
          </p>
          <p>{t('forgotPage.sentHint')}</p>
          <Button variant="default" onClick={() => resetRequest.reset()}>
            {t('forgotPage.otherAddress')}
          </Button>
        </Stack>
      ) : (
        <form {...form.formProps}>
          <Stack>
            <TextInput
              label={t('loginPage.email')}
              type="email"
              autoComplete="username"
              dir="ltr"
              autoFocus
              {...form.inputProps('email')}
              description={emailHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              onFocus={onEmailFocus}
              onBlur={onEmailBlur}
              error={form.errorOf('email') ?? (resetRequest.error ? errorText(resetRequest.error, t) : null)}
            />
            <Button type="submit" loading={resetRequest.isPending} fullWidth>
              {t('forgotPage.submit')}
            </Button>
          </Stack>
        </form>
      )}
    </StandalonePage>
  );
}
