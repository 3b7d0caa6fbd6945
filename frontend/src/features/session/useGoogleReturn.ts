import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import type { GoogleSettings, User } from '@/api/types';
import { startSession } from '@/shared/session/session';

import { logInWithGoogle } from './calls';

/**
 * Completes a sign-in with Google: the code in the URL becomes an access token, and the token becomes a session.
 * `busy` is true from the start; `error` is set if the sign-in fails.
 */
export function useGoogleReturn(google: GoogleSettings | null, onSuccess: (user: User) => void) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const returning = search.has('state') && (search.has('code') || search.has('error'));
  const [error, setError] = useState<unknown>(null);
  const begun = useRef(false);

  useEffect(() => {
    if (!returning || !google || begun.current) return;
    // A code can be used once.
    begun.current = true;
    const finish = async () => {
      try {
        const { returnFromGoogle } = await import('./google');
        const { accessToken, remember } = await returnFromGoogle(google);
        const { user, token } = await logInWithGoogle({ accessToken, remember });
        startSession(token, user, remember);
        onSuccess(user);
      } catch (failure) {
        setError(failure);
        void navigate('/login', { replace: true });
      }
    };
    void finish();
  }, [returning, google, onSuccess, navigate]);

  return { busy: returning && google !== null && !error, error };
}
