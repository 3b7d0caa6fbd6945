import { whenLoggedOut } from '@/shared/session/session';
import { createStore, useStore } from '@/shared/store';

import { MY_DOCUMENTS } from './paths';

/** The search of my documents' address, as it was left. */
const lastSearch = createStore('');
whenLoggedOut(() => lastSearch.set(''));

export function rememberMine(search: string): void {
  lastSearch.set(search);
}

/** My documents as they were left: with the search, the order and the page. */
export function useMineAddress(): string {
  return MY_DOCUMENTS + useStore(lastSearch);
}
