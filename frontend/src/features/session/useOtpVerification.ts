import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError } from '@/api/error';
import type { SessionResponse } from '@/api/types';
import type { PendingVerification } from '@/shared/session/pendingVerification';

import { resendAddressCode, resendRegistrationCode, verifyNewAddress, verifyRegistration } from './calls';
import { RESEND_SECONDS } from './otp';

/** The time between two codes to one address, in milliseconds (design §3). */
const RESEND_AFTER_MS = RESEND_SECONDS * 1000;

/** Submits a code, and requests another one when the last is a minute old. */
export function useOtpVerification(pending: PendingVerification, remember: boolean, sentAt: number) {
  const [resendAt, setResendAt] = useState(sentAt + RESEND_AFTER_MS);

  const verify = useMutation({
    mutationFn: (otp: string): Promise<SessionResponse> =>
      pending.kind === 'address'
        ? verifyNewAddress(pending.newEmail, otp)
        : verifyRegistration({ userId: pending.userId, otp, remember }),
  });
  const resend = useMutation({
    mutationFn: () =>
      pending.kind === 'address'
        ? resendAddressCode(pending.newEmail)
        : resendRegistrationCode(pending.userId),
    onSuccess: () => setResendAt(Date.now() + RESEND_AFTER_MS),
    onError: (error) => {
      const wait = error instanceof ApiError ? error.details.retryAfter : undefined;
      if (wait) setResendAt(Date.now() + wait * 1000);
    },
  });
  return { verify, resend, resendAt };
}
