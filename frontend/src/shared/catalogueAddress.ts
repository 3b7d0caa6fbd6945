import { whenLoggedOut } from '@/shared/session/session';
import { createStore, useStore } from '@/shared/store';

const PATH = '/user-home/user-all-documents';

/** The search of the catalogue's address, as it was left. */
const lastSearch = createStore('');
whenLoggedOut(() => lastSearch.set(''));

export function rememberCatalogue(search: string): void {
  lastSearch.set(search);
}

/** The catalogue as it was left: with its search, its filters and its page. */
export function useCatalogueAddress(): string {
  return PATH + useStore(lastSearch);
}
