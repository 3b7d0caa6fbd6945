import { useEffect, useState } from 'react';

/** Returns the whole seconds until `deadline` (milliseconds since 1970), at least 0. It updates every second. */
export function useCountdown(deadline: number): number {
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.max(0, Math.ceil((deadline - now) / 1000));
  useEffect(() => {
    // A new deadline is measured from now, not from the last tick of the old one.
    const tick = () => setNow(Date.now());
    tick();
    if (deadline <= Date.now()) return;
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [deadline, seconds === 0]); // eslint-disable-line react-hooks/exhaustive-deps
  return seconds;
}

/** Formats seconds as `1:00` or `0:09`. */
export function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
