// What the application keeps on the device: the entries of its database (frontend/src/shared/personal).
import type { Page } from "playwright-core";

interface Entry {
  owner: string;
  kind: string;
  key: string;
  value: unknown;
}

/** Returns the entries of a kind, of all owners. */
export function storedEntries(page: Page, kind: string): Promise<Entry[]> {
  return page.evaluate(
    (wanted) =>
      new Promise<Entry[]>((done, failed) => {
        const opening = indexedDB.open("waraq");
        opening.onerror = () => failed(new Error("no database"));
        opening.onsuccess = () => {
          const all = opening.result
            .transaction("entries")
            .objectStore("entries")
            .getAll();
          all.onerror = () => failed(new Error("not read"));
          all.onsuccess = () => {
            opening.result.close();
            const entries = all.result as Entry[];
            done(entries.filter((entry) => entry.kind === wanted));
          };
        };
      }),
    kind,
  );
}

/** Deletes all entries of a kind. The page must be loaded again. */
export function deleteEntries(page: Page, kind: string): Promise<void> {
  return page.evaluate(
    (unwanted) =>
      new Promise<void>((done, failed) => {
        const opening = indexedDB.open("waraq");
        opening.onerror = () => failed(new Error("no database"));
        opening.onsuccess = () => {
          const writing = opening.result.transaction("entries", "readwrite");
          const store = writing.objectStore("entries");
          store.openCursor().onsuccess = ({ target }) => {
            const cursor = (target as IDBRequest<IDBCursorWithValue | null>)
              .result;
            if (!cursor) return;
            if ((cursor.value as Entry).kind === unwanted) cursor.delete();
            cursor.continue();
          };
          writing.oncomplete = () => {
            opening.result.close();
            done();
          };
        };
      }),
    kind,
  );
}

/** Makes the browser refuse to store what is typed, from the next page on. */
export async function refuseStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("", "QuotaExceededError");
    };
  });
}

/** Ends the browser session, as closing the browser does: session cookies are gone, storage stays. */
export async function restartBrowser(page: Page): Promise<Page> {
  const context = page.context();
  for (const tab of context.pages()) await tab.close();
  await context.clearCookies();
  return context.newPage();
}
