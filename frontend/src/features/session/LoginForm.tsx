import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { User } from '@/api/types';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { startSession } from '@/shared/session/session';
import { useSettings } from '@/shared/settings';
import { PasswordField } from '@/shared/ui/PasswordField';

import { GoogleButton } from './GoogleButton';
import { logIn } from './calls';
import { loginFailure, unverifiedAccount } from './failures';

interface LoginFormProps {
  onSuccess: (user: User) => void;
  /** The address has yet to be proven; without this the form only says so. */
  onUnverified?: (userId: string, email: string, remember: boolean) => void;
  /** Who is expected: somebody whose session has ended. */
  email?: string;
  /** The page it is shown over: Google is to lead back to it, and no link leads away from what was entered. */
  over?: string;
}

/** Address and password, or Google; what is wrong stands above the button, in words. */
export function LoginForm({ onSuccess, onUnverified, email: expected = '', over }: LoginFormProps) {
  const { t } = useTranslation();
  const { google } = useSettings();
  const [email, setEmail] = useState(expected);
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [incomplete, setIncomplete] = useState(false);

  const login = useMutation({
    mutationFn: logIn,
    onSuccess: ({ user, token }) => {
      startSession(token, user, remember);
      onSuccess(user);
    },
    onError: (error, request) => {
      const userId = unverifiedAccount(error);
      if (userId) onUnverified?.(userId, request.email, remember);
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = !email.trim() || !password.trim();
    setIncomplete(missing);
    if (!missing) login.mutate({ email: email.trim(), password, remember });
  };

  const problem = incomplete
    ? t('loginPage.emailPasswordRequired')
    : login.error
      ? loginFailure(login.error, t)
      : null;

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('loginPage.email')}
          type="email"
          name="email"
          autoComplete="username"
          dir="ltr"
          error={incomplete && !email.trim()}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          label={t('loginPage.password')}
          name="password"
          autoComplete="current-password"
          data-autofocus={expected ? true : undefined}
          error={incomplete && !password.trim()}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="space-between" gap="xs">
          <Checkbox
            label={t('loginPage.rememberMe')}
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
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
