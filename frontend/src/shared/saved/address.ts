import { whenUserLeaves } from '@/shared/session/session';
import { createStore, useStore } from '@/shared/store';

import { MY_DOCUMENTS } from './paths';

/** The last query of the URL of the saved documents. */
const lastSearch = createStore('');
whenUserLeaves(() => lastSearch.set(''));

export function rememberMine(search: string): void {
  lastSearch.set(search);
}

/** Returns the path of the saved documents with their last search, order and page. */
export function useMineAddress(): string {
  return MY_DOCUMENTS + useStore(lastSearch);
}
