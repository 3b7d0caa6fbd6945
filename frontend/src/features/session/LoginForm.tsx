import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { User } from '@/api/types';
import { FORGOT_PASSWORD_PATH } from '@/shared/paths';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { startSession } from '@/shared/session/session';
import { useSettings } from '@/shared/settings';
import { PasswordField } from '@/shared/ui/PasswordField';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { useEmailHint } from '@/shared/ui/useEmailHint';

import { GoogleButton } from './GoogleButton';
import { logIn } from './calls';
import { isRefusal, loginFailureText, unverifiedUserId } from './failures';

interface LoginFormProps {
  onSuccess: (user: User) => void;
  /** Called if the address is not verified yet. Without it the form only shows a message. */
  onUnverified?: (userId: string, email: string, remember: boolean) => void;
  /** The address of the user whose session has ended. */
  email?: string;
  /** True if the session that has ended was remembered. */
  wasRemembered?: boolean;
  /** The page below the dialog. Google leads back to it, and links that would leave it are hidden. */
  coveredPath?: string;
}

interface LoginValues {
  email: string;
  password: string;
  remember: boolean;
}

/** The login form with address and password, or Google. Errors are shown above the button. */
export function LoginForm(props: LoginFormProps) {
  const { onSuccess, onUnverified, email: expected = '', wasRemembered = false, coveredPath } = props;
  const { t } = useTranslation();
  const { google } = useSettings();
  const login = useMutation({
    mutationFn: logIn,
    onSuccess: ({ user, token }, { remember = false }) => {
      startSession(token, user, remember);
      onSuccess(user);
    },
    onError: (error, request) => {
      const userId = unverifiedUserId(error);
      if (userId) onUnverified?.(userId, request.email, request.remember ?? false);
      form.focusFirstInvalid();
    },
  });

  const form = useCheckedForm<LoginValues, 'emailPasswordRequired'>({
    initialValues: { email: expected, password: '', remember: wasRemembered },
    findProblems: ({ email, password }) => ({
      ...(email.trim() ? {} : { email: 'emailPasswordRequired' }),
      ...(password.trim() ? {} : { password: 'emailPasswordRequired' }),
    }),
    // Missing input is reported once, above the button.
    problemText: () => true,
    onSubmit: ({ email, ...rest }) => login.mutate({ email: email.trim(), ...rest }),
  });
  const { email, remember } = form.values;
  const { emailHint, onEmailFocus, onEmailBlur } = useEmailHint(email);
  const isIncomplete = Object.keys(form.problems).length > 0;
  const failure = login.error && !isIncomplete ? loginFailureText(login.error, t) : null;
  // The message does not say which of the two is wrong. The password gets the focus, because it is mistyped more
  // often.
  const isRefused = failure !== null && isRefusal(login.error);
  const problem = isIncomplete ? t('loginPage.emailPasswordRequired') : failure;

  return (
    <form {...form.formProps}>
      <Stack>
        <TextInput
          label={t('loginPage.email')}
          type="email"
          autoComplete="username"
          dir="ltr"
          {...form.inputProps('email')}
          description={emailHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onFocus={onEmailFocus}
          onBlur={onEmailBlur}
        />
        <PasswordField
          label={t('loginPage.password')}
          autoComplete="current-password"
          data-autofocus={expected ? true : undefined}
          {...form.inputProps('password')}
          error={form.errorOf('password') ?? isRefused}
        />
        <Group justify="space-between" gap="xs">
          <Checkbox
            label={t('loginPage.rememberMe')}
            checked={remember}
            onChange={(event) => form.change({ remember: event.currentTarget.checked })}
          />
          {!coveredPath && (
            <Text size="sm">
              <Link to={FORGOT_PASSWORD_PATH} state={{ email: email.trim() }}>
                {t('loginPage.forgotPassword')}
              </Link>
            </Text>
          )}
        </Group>
        {problem && (
          <Alert color="red" variant="light" role="alert" p="sm">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={login.isPending} fullWidth>
          {t('login')}
        </Button>
        {google && (
          <GoogleButton
            google={google}
            remember={remember}
            onPress={() => {
              if (coveredPath) storeReturnUrl(coveredPath);
            }}
          />
        )}
      </Stack>
    </form>
  );
}
