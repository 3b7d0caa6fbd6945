import { useEffect } from 'react';

import { sendPendingSaves } from './pendingSaves';

/** The pause between two attempts in milliseconds. It doubles with each attempt without a network. */
const MIN_PAUSE_MS = 3_000;
const MAX_PAUSE_MS = 60_000;

/** Sends pending saves when the page opens, after a login, when the network is back, and at intervals. */
export function useSendPendingSaves(token: string | undefined, pendingCount: number): void {
  useEffect(() => {
    if (!token || pendingCount === 0) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = MIN_PAUSE_MS;
    let isCancelled = false;
    const sendAndRepeat = async () => {
      clearTimeout(timer);
      if (!(await sendPendingSaves()) || isCancelled) return;
      timer = setTimeout(() => void sendAndRepeat(), pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    };
    const sendNow = () => {
      pause = MIN_PAUSE_MS;
      void sendAndRepeat();
    };
    timer = setTimeout(() => void sendAndRepeat(), MIN_PAUSE_MS);
    window.addEventListener('online', sendNow);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
      window.removeEventListener('online', sendNow);
    };
  }, [token, pendingCount]);
}
