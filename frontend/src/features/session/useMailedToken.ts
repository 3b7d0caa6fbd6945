import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The token of a mail's link (`#token=…`), taken out of the address at once: it is not to stand in a history. */
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
    // The state of this page alone keeps it, for a reload.
    if (token && (hash || search)) void navigate(path, { replace: true, state: { token } });
  }, [token, hash, search, navigate, path]);
  return token;
}
