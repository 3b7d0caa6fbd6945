import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';

import { useSession } from '@/shared/session/session';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { Failure } from '@/shared/ui/Failure';
import { LinkButton } from '@/shared/ui/LinkButton';

/** Sends guests to log in and come back. The role here only picks what is shown; the server checks every call. */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const session = useSession();
  const { pathname, search } = useLocation();

  useEffect(() => {
    if (!session) storeReturnUrl(pathname + search);
  }, [session, pathname, search]);

  if (!session) return <Navigate to="/login" replace />;
  if (session.user.role === 'admin') return children;
  return (
    <Failure title={t('errors.forbidden')}>
      <LinkButton to="/user-home">{t('preview.toCatalogue')}</LinkButton>
    </Failure>
  );
}
