import { Alert, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import { ApiError } from '@/api/error';
import { errorText } from '@/shared/i18n/errors';
import { isAllowedPassword } from '@/shared/password';
import { FORGOT_PASSWORD_PATH, LOGIN_PATH, RESET_PASSWORD_PATH } from '@/shared/paths';
import { dropSession } from '@/shared/session/session';
import { LIMITS } from '@/shared/settings';
import { StandalonePage } from '@/shared/ui/StandalonePage';
import { LinkButton } from '@/shared/ui/LinkButton';
import { NewPasswordFields } from '@/shared/ui/NewPasswordFields';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { StrengthBar } from './StrengthBar';
import { resetPassword } from './calls';
import { useMailedToken } from './useMailedToken';

/** Sets a new password by a mailed link. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const token = useMailedToken(RESET_PASSWORD_PATH);
  const [refused, setRefused] = useState(false);
  usePageTitle(t('resetPage.title'));

  return (
    <StandalonePage
      title={t('resetPage.title')}
      lead={token && !refused ? t('resetPage.lead') : undefined}
      below={<Link to={LOGIN_PATH}>{t('forgotPage.toLogin')}</Link>}
    >
      {token && !refused ? (
        <ResetPasswordForm token={token} onRefused={() => setRefused(true)} />
      ) : (
        <Stack>
          <Alert color="red" variant="light" role="alert" p="sm">
            {t('errors.invalid_reset_link')}
          </Alert>
          <LinkButton to={FORGOT_PASSWORD_PATH}>{t('resetPage.askAgain')}</LinkButton>
        </Stack>
      )}
    </StandalonePage>
  );
}

interface NewPassword {
  newPassword: string;
  confirmation: string;
}

function ResetPasswordForm({ token, onRefused }: { token: string; onRefused: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const reset = useMutation({
    mutationFn: resetPassword,
    onSuccess: () => {
      // The reset has ended every session, also in this browser.
      dropSession();
      toast.success(t('resetPage.done'));
      void navigate(LOGIN_PATH, { replace: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'invalid_reset_link') onRefused();
    },
  });

  const form = useCheckedForm<NewPassword, 'passwordLength' | 'errorPasswordsMismatch'>({
    initialValues: { newPassword: '', confirmation: '' },
    findProblems: ({ newPassword, confirmation }) => ({
      ...(isAllowedPassword(newPassword) ? {} : { newPassword: 'passwordLength' }),
      ...(newPassword === confirmation ? {} : { confirmation: 'errorPasswordsMismatch' }),
    }),
    problemText: (problem) =>
      t(`registerPage.${problem}`, {
        fewest: LIMITS.passwordMinCharacters,
        most: LIMITS.passwordMaxCharacters,
      }),
    onSubmit: ({ newPassword }) => reset.mutate({ token, newPassword }),
  });
  const { newPassword, confirmation } = form.values;

  return (
    <form {...form.formProps}>
      <Stack>
        <NewPasswordFields
          label={t('resetPage.newPassword')}
          name="newPassword"
          autoFocus
          password={newPassword}
          confirmation={confirmation}
          onPassword={(password) => form.change({ newPassword: password })}
          onConfirmation={(again) => form.change({ confirmation: again })}
          errors={{ password: form.errorOf('newPassword'), confirmation: form.errorOf('confirmation') }}
          renderStrength={(id) => <StrengthBar password={newPassword} id={id} />}
        />
        {reset.error && (
          <Alert color="red" variant="light" role="alert" p="sm">
            {errorText(reset.error, t)}
          </Alert>
        )}
        <Button type="submit" loading={reset.isPending} fullWidth>
          {t('resetPage.submit')}
        </Button>
      </Stack>
    </form>
  );
}
