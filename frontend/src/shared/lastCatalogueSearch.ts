import { onUserLeave } from '@/shared/session/session';
import { createStore, useStore } from '@/shared/store';

const PATH = '/user-home/user-all-documents';

/** The last query of the catalogue's URL. */
const lastSearch = createStore('');
onUserLeave(() => lastSearch.set(''));

export function storeCatalogueSearch(search: string): void {
  lastSearch.set(search);
}

/** Returns the catalogue's path with its last search, filters and page. */
export function useCatalogueUrl(): string {
  return PATH + useStore(lastSearch);
}
