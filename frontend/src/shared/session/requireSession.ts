import { createStore, useStore } from '@/shared/store';

/** The number of visible pages that require a login. */
const requiringPageCount = createStore(0);

/** Marks the current page as requiring a session. The returned function undoes that. */
export function requireSession(): () => void {
  requiringPageCount.set(requiringPageCount.get() + 1);
  return () => requiringPageCount.set(requiringPageCount.get() - 1);
}

export function useSessionRequired(): boolean {
  return useStore(requiringPageCount) > 0;
}
