import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';

import { storeReturnUrl } from '@/shared/session/returnUrl';
import { requireSession } from '@/shared/session/required';
import { useFarewell, useSession } from '@/shared/session/session';

import { NotFound } from './NotFound';

interface RequireLoginProps {
  /** For admins only. */
  admin?: boolean;
  children: ReactNode;
}

/** Sends guests to log in and come back. The role here only picks what is shown; the server checks every call. */
export function RequireLogin({ admin = false, children }: RequireLoginProps) {
  const session = useSession();
  const farewell = useFarewell();
  const { pathname, search } = useLocation();
  // Whoever was here and has logged out does not want to come back.
  const [came] = useState(session === null);

  useEffect(() => {
    if (!session && came) storeReturnUrl(pathname + search);
  }, [session, came, pathname, search]);

  useEffect(() => requireSession(), []);

  // Whoever has no account any more is not asked for it.
  if (!session) return <Navigate to={farewell ? '/user-home' : '/login'} replace />;
  if (!admin || session.user.role === 'admin') return children;
  // To anybody else the admin area is not there (specification §2).
  return <NotFound />;
}
