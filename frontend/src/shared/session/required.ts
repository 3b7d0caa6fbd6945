import { createStore, useStore } from '@/shared/store';

/** How many of the pages on the screen are only for somebody who is logged in. */
const pages = createStore(0);

/** From now on the page on the screen wants a session; until the answer is called. */
export function requireSession(): () => void {
  pages.set(pages.get() + 1);
  return () => pages.set(pages.get() - 1);
}

export function useSessionRequired(): boolean {
  return useStore(pages) > 0;
}
