import { useEffect, useState } from 'react';

/** Whole seconds until `deadline` (milliseconds since 1970), never below zero; it tells again with each second. */
export function useCountdown(deadline: number): number {
  const [now, setNow] = useState(() => Date.now());
  const seconds = Math.max(0, Math.ceil((deadline - now) / 1000));
  useEffect(() => {
    // A new deadline is measured from now, not from the last second of the old one.
    const tick = () => setNow(Date.now());
    tick();
    if (deadline <= Date.now()) return;
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [deadline, seconds === 0]); // eslint-disable-line react-hooks/exhaustive-deps
  return seconds;
}

/** `1:00`, `0:09`. */
export function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
