import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { User } from '@/api/types';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { startSession } from '@/shared/session/session';
import { useSettings } from '@/shared/settings';
import { PasswordField } from '@/shared/ui/PasswordField';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import { GoogleButton } from './GoogleButton';
import { logIn } from './calls';
import { isRefusal, loginFailure, unverifiedAccount } from './failures';

interface LoginFormProps {
  onSuccess: (user: User) => void;
  /** The address has yet to be proven; without this the form only says so. */
  onUnverified?: (userId: string, email: string, remember: boolean) => void;
  /** Who is expected: somebody whose session has ended. */
  email?: string;
  /** The page it is shown over: Google is to lead back to it, and no link leads away from what was entered. */
  over?: string;
}

interface Login {
  email: string;
  password: string;
  remember: boolean;
}

/** Address and password, or Google; what is wrong stands above the button, in words. */
export function LoginForm({ onSuccess, onUnverified, email: expected = '', over }: LoginFormProps) {
  const { t } = useTranslation();
  const { google } = useSettings();
  const login = useMutation({
    mutationFn: logIn,
    onSuccess: ({ user, token }, { remember = false }) => {
      startSession(token, user, remember);
      onSuccess(user);
    },
    onError: (error, request) => {
      const userId = unverifiedAccount(error);
      if (userId) onUnverified?.(userId, request.email, request.remember ?? false);
      form.focusFirstWrong();
    },
  });

  const form = useCheckedForm<Login, 'emailPasswordRequired'>({
    initialValues: { email: expected, password: '', remember: false },
    check: ({ email, password }) => ({
      ...(email.trim() ? {} : { email: 'emailPasswordRequired' }),
      ...(password.trim() ? {} : { password: 'emailPasswordRequired' }),
    }),
    // What is missing is said once, above the button.
    say: () => true,
    onSubmit: ({ email, ...rest }) => login.mutate({ email: email.trim(), ...rest }),
  });
  const { email, remember } = form.values;
  const incomplete = Object.keys(form.problems).length > 0;
  const failure = login.error && !incomplete ? loginFailure(login.error, t) : null;
  // Which of the two is wrong is nobody's business; the password is the one more often mistyped.
  const refused = failure !== null && isRefusal(login.error);
  const problem = incomplete ? t('loginPage.emailPasswordRequired') : failure;

  return (
    <form {...form.element}>
      <Stack>
        <TextInput
          label={t('loginPage.email')}
          type="email"
          autoComplete="username"
          dir="ltr"
          {...form.input('email')}
        />
        <PasswordField
          label={t('loginPage.password')}
          autoComplete="current-password"
          data-autofocus={expected ? true : undefined}
          {...form.input('password')}
          error={form.errorOf('password') ?? refused}
        />
        <Group justify="space-between" gap="xs">
          <Checkbox
            label={t('loginPage.rememberMe')}
            checked={remember}
            onChange={(event) => form.change({ remember: event.currentTarget.checked })}
          />
          {!over && (
            <Text size="sm">
              <Link to="/forgot-password" state={{ email: email.trim() }}>
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
              if (over) storeReturnUrl(over);
            }}
          />
        )}
      </Stack>
    </form>
  );
}
