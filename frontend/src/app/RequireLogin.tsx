import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';

import { HOME_PATH, LOGIN_PATH } from '@/shared/paths';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { requireSession } from '@/shared/session/requireSession';
import { hasUserLeftThisUrl, useAccountDeleted, useSession } from '@/shared/session/session';

import { NotFound } from './NotFound';

interface RequireLoginProps {
  /** Restricts the page to admins. */
  admin?: boolean;
  children: ReactNode;
}

/** Sends guests to the login and back. The role only decides what is shown; the server checks every call. */
export function RequireLogin({ admin = false, children }: RequireLoginProps) {
  const session = useSession();
  const accountDeleted = useAccountDeleted();
  const { pathname, search } = useLocation();
  // A user who has logged out on this page does not want to return to it.
  const [returnsHere] = useState(() => session === null && !hasUserLeftThisUrl());

  useEffect(() => {
    if (!session && returnsHere) storeReturnUrl(pathname + search);
  }, [session, returnsHere, pathname, search]);

  useEffect(() => requireSession(), []);

  // A user who has deleted their account is not asked to log in.
  if (!session) return <Navigate to={accountDeleted ? HOME_PATH : LOGIN_PATH} replace />;
  if (!admin || session.user.role === 'admin') return children;
  // For other users the admin area does not exist (specification §2).
  return <NotFound />;
}
