import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Returns the token of a mail's link (`#token=…`). It is removed from the URL at once, to keep it out of the
 * history.
 */
export function useMailedToken(path: string): string | null {
  const navigate = useNavigate();
  const { hash, search, state } = useLocation();
  const [token] = useState<string | null>(
    () =>
      new URLSearchParams(hash.slice(1)).get('token') ??
      new URLSearchParams(search).get('token') ??
      (state as { token?: string } | null)?.token ??
      null,
  );
  useEffect(() => {
    // The state of the history entry keeps the token for a reload.
    if (token && (hash || search)) void navigate(path, { replace: true, state: { token } });
  }, [token, hash, search, navigate, path]);
  return token;
}
