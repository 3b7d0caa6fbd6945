import { useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { CATALOGUE_PATH, DASHBOARD_PATH, SAVED_DOCUMENTS_PATH } from '@/shared/paths';
import { canOpen, takeReturnUrl } from '@/shared/session/returnUrl';
import { isMobile } from '@/shared/ui/useIsMobile';

/**
 * Returns the start page after a login that no page has requested (specification §4). On a phone only the saved documents
 * open.
 */
export function startPath(user: User): string {
  if (isMobile()) return SAVED_DOCUMENTS_PATH;
  return user.role === 'admin' ? DASHBOARD_PATH : CATALOGUE_PATH;
}

/**
 * Returns a function that opens the page which requested the login. Another user may have requested it, so a page that
 * this user cannot open is replaced by `start`.
 */
export function useNavigateAfterLogin() {
  const navigate = useNavigate();
  return ({ role }: User, start: string) => {
    const requested = takeReturnUrl();
    void navigate(requested !== null && canOpen(requested, role) ? requested : start, { replace: true });
  };
}
