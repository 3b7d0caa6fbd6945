import { Alert, Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { Trans, useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate } from 'react-router';

import { LOGIN_PATH, OTP_PATH, PRIVACY_PATH, TERMS_PATH } from '@/shared/paths';
import { storePendingRegistration, codeSentState } from '@/shared/session/pendingVerification';
import { useSession } from '@/shared/session/session';
import { LIMITS } from '@/shared/settings';
import { StandalonePage } from '@/shared/ui/StandalonePage';
import { NewPasswordFields } from '@/shared/ui/NewPasswordFields';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { useEmailHint } from '@/shared/ui/useEmailHint';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import type { OtpState } from './OtpPage';
import { StrengthBar } from './StrengthBar';
import { register } from './calls';
import { startPath } from './afterLogin';
import { registrationFailure } from './failures';
import { lastRegistration, rememberRegistration } from './lastRegistration';
import { registrationProblems, type Registration, type RegistrationProblem } from './registration';

const EMPTY_REGISTRATION: Registration = {
  userName: '',
  email: '',
  password: '',
  confirmation: '',
  terms: false,
  remember: false,
};

export function RegisterPage() {
  const { t } = useTranslation();
  const session = useSession();
  usePageTitle(t('registerPage.title'));
  if (session) return <Navigate to={startPath(session.user)} replace />;
  return (
    <StandalonePage
      title={t('registerPage.title')}
      lead={t('registerPage.lead')}
      below={
        <span>
          {t('registerPage.haveAccount')} <Link to={LOGIN_PATH}>{t('login')}</Link>
        </span>
      }
    >
      <RegisterForm />
    </StandalonePage>
  );
}

function RegisterForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();

  const registration = useMutation({
    mutationFn: register,
    onSuccess: ({ userId }, { email }) => {
      storePendingRegistration(userId);
      rememberRegistration(form.values);
      toast.success(t('registerPage.registrationSuccess'));
      const state: OtpState = { email, remember: form.values.remember, ...codeSentState() };
      void navigate(OTP_PATH, { state });
    },
    onError: () => form.focusFirstInvalid(),
  });
  const failed = registration.error ? registrationFailure(registration.error, t) : null;

  const form = useCheckedForm<Registration, RegistrationProblem>({
    initialValues: { ...EMPTY_REGISTRATION, ...lastRegistration() },
    findProblems: registrationProblems,
    // Missing input is reported once, above the button.
    problemText: (problem, field) =>
      problem === 'errorFillFields' ||
      t(`registerPage.${problem}`, {
        fewest: LIMITS.passwordMinCharacters,
        most: field === 'userName' ? LIMITS.userNameCharacters : LIMITS.passwordMaxCharacters,
      }),
    onChange: () => {
      if (registration.error) registration.reset();
    },
    onSubmit: ({ userName, email, password }) =>
      registration.mutate({ userName: userName.trim(), email: email.trim(), password }),
  });
  const { values, change } = form;
  const { emailHint, onEmailFocus, onEmailBlur } = useEmailHint(values.email);
  const errorOf = (field: keyof Registration) =>
    form.errorOf(field) ?? (failed?.field === field ? failed.text : null);
  const incomplete = Object.values(form.problems).includes('errorFillFields');
  const general = incomplete
    ? t('registerPage.errorFillFields')
    : failed && !failed.field
      ? failed.text
      : null;

  return (
    <form {...form.formProps}>
      <Stack>
        <TextInput
          label={t('registerPage.userName')}
          autoComplete="name"
          {...form.inputProps('userName')}
          error={errorOf('userName')}
        />
        <TextInput
          label={t('loginPage.email')}
          type="email"
          autoComplete="email"
          dir="ltr"
          {...form.inputProps('email')}
          description={emailHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={errorOf('email')}
          onFocus={onEmailFocus}
          onBlur={onEmailBlur}
        />
        <NewPasswordFields
          label={t('loginPage.password')}
          name="password"
          password={values.password}
          confirmation={values.confirmation}
          onPassword={(password) => change({ password })}
          onConfirmation={(confirmation) => change({ confirmation })}
          errors={{ password: errorOf('password'), confirmation: errorOf('confirmation') }}
          renderStrength={(id) => <StrengthBar password={values.password} id={id} />}
        />
        <Checkbox
          name="terms"
          label={
            <Trans
              i18nKey="registerPage.agree"
              components={{
                terms: <Link to={TERMS_PATH} target="_blank" />,
                privacy: <Link to={PRIVACY_PATH} target="_blank" />,
              }}
            />
          }
          aria-invalid={Boolean(form.problems.terms)}
          error={errorOf('terms')}
          checked={values.terms}
          onChange={(event) => change({ terms: event.currentTarget.checked })}
        />
        <Checkbox
          name="remember"
          label={t('loginPage.rememberMe')}
          checked={values.remember}
          onChange={(event) => change({ remember: event.currentTarget.checked })}
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
