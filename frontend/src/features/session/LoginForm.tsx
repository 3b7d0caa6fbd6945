import { Alert, Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';

import type { User } from '@/api/types';
import { startSession } from '@/shared/session/session';
import { EyeIcon, EyeOffIcon } from '@/shared/ui/icons';

import { logIn, loginFailure } from './login';

interface LoginFormProps {
  onSuccess: (user: User) => void;
}

/** Address and password; what is wrong stands above the button, in words. */
export function LoginForm({ onSuccess }: LoginFormProps) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [incomplete, setIncomplete] = useState(false);

  const login = useMutation({
    mutationFn: logIn,
    onSuccess: ({ user, token }) => {
      startSession(token, user, remember);
      onSuccess(user);
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
        <PasswordInput
          label={t('loginPage.password')}
          name="password"
          autoComplete="current-password"
          dir="ltr"
          error={incomplete && !password.trim()}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleIcon={({ reveal }) => (reveal ? <EyeOffIcon /> : <EyeIcon />)}
          visibilityToggleButtonProps={{ 'aria-label': t('loginPage.showPassword') }}
        />
        <Checkbox
          label={t('loginPage.rememberMe')}
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        {problem && (
          <Alert color="red" variant="light" role="alert" p="sm">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={login.isPending} fullWidth>
          {t('login')}
        </Button>
      </Stack>
    </form>
  );
}
