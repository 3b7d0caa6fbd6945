import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a function that stays the same and calls the latest `callback`, for components that are memoised. */
export function useStableCallback<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
