import { useEffect } from 'react';

import { sendWaiting } from './waiting';

/** The pause between two tries in milliseconds. It doubles with each try that finds no network. */
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 60_000;

/** Sends waiting saves when the page opens, after a login, when the network is back, and at intervals. */
export function useSending(token: string | undefined, waiting: number): void {
  useEffect(() => {
    if (!token || waiting === 0) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = FIRST_PAUSE_MS;
    let left = false;
    const run = async () => {
      clearTimeout(timer);
      if (!(await sendWaiting()) || left) return;
      timer = setTimeout(() => void run(), pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
    const now = () => {
      pause = FIRST_PAUSE_MS;
      void run();
    };
    timer = setTimeout(() => void run(), FIRST_PAUSE_MS);
    window.addEventListener('online', now);
    return () => {
      left = true;
      clearTimeout(timer);
      window.removeEventListener('online', now);
    };
  }, [token, waiting]);
}
