import { useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { takeReturnUrl } from '@/shared/session/returnUrl';

/** Returns the start page after a login that no page has requested (specification §4). */
export function startOf(user: User): string {
  return user.role === 'admin' ? '/' : '/user-home/user-all-documents';
}

/** Leads a user after the login to the page that requested it, or else to `start`. */
export function useEnter() {
  const navigate = useNavigate();
  return (start: string) => void navigate(takeReturnUrl() ?? start, { replace: true });
}
