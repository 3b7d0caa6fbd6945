import { useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { takeReturnUrl } from '@/shared/session/returnUrl';

/** Returns the start page after a login that no page has requested (specification §4). */
export function startPath(user: User): string {
  return user.role === 'admin' ? '/' : '/user-home/user-all-documents';
}

/** Returns a function that opens the page which requested the login, or else `start`. */
export function useNavigateAfterLogin() {
  const navigate = useNavigate();
  return (start: string) => void navigate(takeReturnUrl() ?? start, { replace: true });
}
