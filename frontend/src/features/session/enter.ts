import { useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { takeReturnUrl } from '@/shared/session/returnUrl';

/** Where a login leads when no page asked for it (specification §4). */
export function startOf(user: User): string {
  return user.role === 'admin' ? '/' : '/user-home/user-all-documents';
}

/** Leads somebody who has just logged in to the page that asked for it, else to `start`. */
export function useEnter() {
  const navigate = useNavigate();
  return (start: string) => void navigate(takeReturnUrl() ?? start, { replace: true });
}
