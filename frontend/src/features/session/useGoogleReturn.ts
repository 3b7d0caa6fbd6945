import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import type { GoogleSettings, User } from '@/api/types';
import { LOGIN_PATH } from '@/shared/paths';
import { startSession } from '@/shared/session/session';

import { logInWithGoogle } from './calls';

/**
 * Completes a sign-in with Google: the code in the URL becomes an access token, and the token becomes a session.
 * `isBusy` is true from the start; `error` is set if the sign-in fails.
 */
export function useGoogleReturn(google: GoogleSettings | null, onSuccess: (user: User) => void) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const isReturning = search.has('state') && (search.has('code') || search.has('error'));
  const [error, setError] = useState<unknown>(null);
  const hasStarted = useRef(false);

  useEffect(() => {
    if (!isReturning || !google || hasStarted.current) return;
    // A code can be used once.
    hasStarted.current = true;
    const finish = async () => {
      try {
        const { completeGoogleSignIn } = await import('./google');
        const { accessToken, remember } = await completeGoogleSignIn(google);
        const { user, token } = await logInWithGoogle({ accessToken, remember });
        startSession(token, user, remember);
        onSuccess(user);
      } catch (failure) {
        setError(failure);
        void navigate(LOGIN_PATH, { replace: true });
      }
    };
    void finish();
  }, [isReturning, google, onSuccess, navigate]);

  return { isBusy: isReturning && google !== null && !error, error };
}
