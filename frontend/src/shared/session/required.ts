import { createStore, useStore } from '@/shared/store';

/** The number of visible pages that require a login. */
const pages = createStore(0);

/** Marks the current page as requiring a session. The returned function undoes that. */
export function requireSession(): () => void {
  pages.set(pages.get() + 1);
  return () => pages.set(pages.get() - 1);
}

export function useSessionRequired(): boolean {
  return useStore(pages) > 0;
}
