import { Alert, Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import { Trans, useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate } from 'react-router';

import { awaitRegistration } from '@/shared/session/pending';
import { useSession } from '@/shared/session/session';
import { LIMITS } from '@/shared/settings';
import { Entrance } from '@/shared/ui/Entrance';
import { NewPasswordFields } from '@/shared/ui/NewPasswordFields';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import type { OtpState } from './OtpPage';
import { StrengthBar } from './StrengthBar';
import { register } from './calls';
import { startOf } from './enter';
import { registerFailure } from './failures';
import { emptyFields, registrationProblem, type Registration } from './registration';

const BLANK: Registration = { userName: '', email: '', password: '', confirmation: '', terms: false };

export function RegisterPage() {
  const { t } = useTranslation();
  const session = useSession();
  usePageTitle(t('registerPage.title'));
  if (session) return <Navigate to={startOf(session.user)} replace />;
  return (
    <Entrance
      title={t('registerPage.title')}
      lead={t('registerPage.lead')}
      below={
        <span>
          {t('registerPage.haveAccount')} <Link to="/login">{t('login')}</Link>
        </span>
      }
    >
      <RegisterForm />
    </Entrance>
  );
}

function RegisterForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [entered, setEntered] = useState(BLANK);
  /** What was wrong when the button was pressed last; a change takes it away. */
  const [checked, setChecked] = useState<Registration | null>(null);
  const change = (part: Partial<Registration>) => {
    setEntered((now) => ({ ...now, ...part }));
    setChecked(null);
    if (registration.error) registration.reset();
  };

  const registration = useMutation({
    mutationFn: register,
    onSuccess: ({ userId }, { email }) => {
      awaitRegistration(userId);
      toast.success(t('registerPage.registrationSuccess'));
      const state: OtpState = { email, sentAt: Date.now() };
      void navigate('/otp-verification', { state });
    },
  });

  const wrong = checked && registrationProblem(checked);
  const failed = registration.error ? registerFailure(registration.error, t) : null;
  const empty = wrong?.problem === 'errorFillFields' ? emptyFields(entered) : [];
  const wrongText = wrong
    ? t(`registerPage.${wrong.problem}`, {
        fewest: LIMITS.passwordFewest,
        most: wrong.problem === 'userNameLength' ? LIMITS.userNameCharacters : LIMITS.passwordMost,
      })
    : null;
  const errorOf = (field: keyof Registration) => {
    if (empty.includes(field)) return true;
    if (wrong && wrong.problem !== 'errorFillFields' && wrong.field === field) return wrongText;
    return failed?.field === field ? failed.text : null;
  };
  const general =
    wrong?.problem === 'errorFillFields' ? wrongText : failed && !failed.field ? failed.text : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = registrationProblem(entered);
    setChecked(entered);
    if (problem) {
      form.current?.querySelector<HTMLInputElement>(`[name=${problem.field}]`)?.focus();
      return;
    }
    const { userName, email, password } = entered;
    registration.mutate({ userName: userName.trim(), email: email.trim(), password });
  };

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('registerPage.userName')}
          name="userName"
          autoComplete="name"
          error={errorOf('userName')}
          value={entered.userName}
          onChange={(event) => change({ userName: event.currentTarget.value })}
        />
        <TextInput
          label={t('loginPage.email')}
          type="email"
          name="email"
          autoComplete="email"
          dir="ltr"
          error={errorOf('email')}
          value={entered.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <NewPasswordFields
          label={t('loginPage.password')}
          name="password"
          password={entered.password}
          confirmation={entered.confirmation}
          onPassword={(password) => change({ password })}
          onConfirmation={(confirmation) => change({ confirmation })}
          errors={{ password: errorOf('password'), confirmation: errorOf('confirmation') }}
          strength={(id) => <StrengthBar password={entered.password} id={id} />}
        />
        <Checkbox
          name="terms"
          label={
            <Trans
              i18nKey="registerPage.agree"
              components={{
                terms: <Link to="/terms" target="_blank" />,
                privacy: <Link to="/privacy" target="_blank" />,
              }}
            />
          }
          error={errorOf('terms')}
          checked={entered.terms}
          onChange={(event) => change({ terms: event.currentTarget.checked })}
        />
        {general && (
          <Alert color="red" variant="light" role="alert" p="sm">
            {general}
          </Alert>
        )}
        <Button type="submit" loading={registration.isPending} fullWidth>
          {t('registerPage.submit')}
        </Button>
      </Stack>
    </form>
  );
}
