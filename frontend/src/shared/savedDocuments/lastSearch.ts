import { onUserLeave } from '@/shared/session/session';
import { createStore, useStore } from '@/shared/store';

import { SAVED_DOCUMENTS_PATH } from './paths';

/** The last query of the URL of the saved documents. */
const lastSearch = createStore('');
onUserLeave(() => lastSearch.set(''));

export function storeSavedDocumentsSearch(search: string): void {
  lastSearch.set(search);
}

/** Returns the path of the saved documents with their last search, order and page. */
export function useSavedDocumentsUrl(): string {
  return SAVED_DOCUMENTS_PATH + useStore(lastSearch);
}
