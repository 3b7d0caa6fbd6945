import { Alert, Button, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { Trans, useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';

import type { SessionResponse } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { HOME_PATH, LOGIN_PATH, REGISTER_PATH, SAVED_DOCUMENTS_PATH, accountPath } from '@/shared/paths';
import {
  clearPendingVerification,
  pendingVerification,
  type PendingVerification,
} from '@/shared/session/pendingVerification';
import { startSession, updateSession, useSession } from '@/shared/session/session';
import { Isolated } from '@/shared/ui/Isolated';
import { StandalonePage } from '@/shared/ui/StandalonePage';
import { isMobile } from '@/shared/ui/useIsMobile';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { OtpInput } from './OtpInput';
import classes from './OtpPage.module.css';
import { useNavigateAfterLogin } from './afterLogin';
import { forgetRegistration } from './lastRegistration';
import { OTP_LENGTH } from './otp';
import { formatClock, useCountdown } from './useCountdown';
import { useOtpVerification } from './useOtpVerification';

/**
 * The data from the previous page. It survives a reload; without it, for example after a URL was typed, both are
 * unknown.
 */
export interface OtpState {
  email?: string;
  /** True if the session is kept after the tab is closed. */
  remember?: boolean;
  /** The time when the code was mailed, in milliseconds since 1970. */
  sentAt?: number;
}

/** Verifies an address by a mailed code: of a new account, or the new address of an existing one. */
export function OtpPage() {
  const session = useSession();
  const [pending] = useState(pendingVerification);
  if (!pending) return <Navigate to={session ? HOME_PATH : LOGIN_PATH} replace />;
  if (pending.kind === 'address' && !session) return <Navigate to={LOGIN_PATH} replace />;
  return <OtpForm pending={pending} />;
}

const EMPTY_BOXES = Array.from({ length: OTP_LENGTH }, () => '');

function OtpForm({ pending }: { pending: PendingVerification }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const navigateAfterLogin = useNavigateAfterLogin();
  const session = useSession();
  const state = (useLocation().state ?? {}) as OtpState;
  const [openedAt] = useState(() => Date.now());
  const { verify, resend, resendAt } = useOtpVerification(
    pending,
    state.remember ?? false,
    state.sentAt ?? openedAt,
  );
  const [boxes, setBoxes] = useState(EMPTY_BOXES);
  const [incomplete, setIncomplete] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // What the boxes hold when an answer arrives: the person may have edited them since the code was sent.
  const enteredCode = useRef('');
  const secondsLeft = useCountdown(resendAt);
  usePageTitle(t('otpPage.title'));

  const email = pending.kind === 'address' ? pending.newEmail : state.email;
  const problem = incomplete
    ? t('otpPage.enterAllOtp')
    : verify.error
      ? errorText(verify.error, t)
      : resend.error
        ? errorText(resend.error, t)
        : null;

  const handleVerified = ({ user, token }: SessionResponse) => {
    clearPendingVerification();
    if (pending.kind === 'address') {
      toast.success(t('otpPage.emailChanged'));
      updateSession(user, token);
      void navigate(accountPath(user.role), { replace: true });
    } else {
      toast.success(t('otpPage.otpVerified'));
      startSession(token, user, state.remember ?? false);
      forgetRegistration();
      navigateAfterLogin(user, isMobile() ? SAVED_DOCUMENTS_PATH : HOME_PATH);
    }
  };

  const submit = (entered: readonly string[]) => {
    const code = entered.join('');
    if (verify.isPending && verify.variables === code) return;
    const missing = entered.some((digit) => !digit);
    setIncomplete(missing);
    resend.reset();
    // After an error the focus moves to the first empty box, or to the first box.
    const focusBox = (index: number) => form.current?.querySelectorAll('input')[index]?.focus();
    if (missing) {
      verify.reset();
      focusBox(entered.indexOf(''));
    } else {
      enteredCode.current = code;
      verify.mutate(code, {
        onSuccess: handleVerified,
        onError: () => {
          if (enteredCode.current === code) focusBox(0);
        },
      });
    }
  };

  const changeBoxes = (next: string[]) => {
    setBoxes(next);
    enteredCode.current = next.join('');
    // The problem was about another code.
    if (next.every(Boolean)) {
      setIncomplete(false);
      verify.reset();
      resend.reset();
    }
  };

  const resendCode = () => {
    setIncomplete(false);
    verify.reset();
    resend.mutate(undefined, {
      onSuccess: () => {
        changeBoxes(EMPTY_BOXES);
        toast.success(t('otpPage.codeSent'));
      },
    });
  };

  return (
    <StandalonePage
      title={t('otpPage.title')}
      lead={
        <span id="otp-lead">
          {email ? (
            <Trans
              i18nKey="otpPage.lead"
              components={{ address: <Isolated dir="ltr" className="address" text={email} /> }}
            />
          ) : (
            t('otpPage.leadPlain')
          )}
        </span>
      }
      below={
        pending.kind === 'address' ? (
          <Link to={session ? accountPath(session.user.role) : LOGIN_PATH} onClick={clearPendingVerification}>
            {t('otpPage.keepAddress')}
          </Link>
        ) : (
          <>
            <Link to={REGISTER_PATH}>{t('otpPage.otherAddress')}</Link>
            <Link to={LOGIN_PATH}>{t('otpPage.toLogin')}</Link>
          </>
        )
      }
    >
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          submit(boxes);
        }}
        noValidate
      >
        <Stack>
          <OtpInput
            boxes={boxes}
            onChange={changeBoxes}
            onComplete={submit}
            labelledBy="otp-lead"
            invalid={problem !== null}
            describedBy={problem ? 'otp-problem' : undefined}
          />
          {problem && (
            <Alert id="otp-problem" color="red" variant="light" role="alert" p="sm">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={verify.isPending} fullWidth>
            {t('otpPage.confirm')}
          </Button>
          <div className={classes['resend']}>
            {secondsLeft > 0 ? (
              <Text size="sm" c="dimmed" role="timer" aria-live="off">
                <Trans
                  i18nKey="otpPage.resendIn"
                  components={{ clock: <Isolated dir="ltr" text={formatClock(secondsLeft)} /> }}
                />
              </Text>
            ) : (
              <Button variant="subtle" loading={resend.isPending} onClick={resendCode}>
                {t('otpPage.resend')}
              </Button>
            )}
          </div>
          <Text size="sm" c="dimmed" ta="center">
            {t('otpPage.hint')}
          </Text>
        </Stack>
      </form>
    </StandalonePage>
  );
}
