import { readText, writeText } from '@/shared/storage';

/** The errors of files that could not be loaded. */
const missingChunks = new WeakSet<Error>();

/** Notes which errors are those of files, which each browser words differently. */
export function watchMissingChunks(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => missingChunks.add(payload));
}

export function isChunkMissing(error: unknown): boolean {
  return error instanceof Error && missingChunks.has(error);
}

/** Returns the address of the first script of a page, which contains its hash. */
function entryOf(page: Document): string | null {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;
}

/**
 * Reloads the page if the server has another version than this page: a deployment may have removed the files of this
 * one. Returns false if it does not reload: the version is the same, it was reloaded for this version already, or the
 * server cannot be reached.
 */
export async function reloadNewVersion(): Promise<boolean> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    const offered = entryOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
    if (!response.ok || offered === null || offered === entryOf(document)) return false;
    // Without this mark, a cache that still delivers the old page would be asked for ever.
    if (readText('reloadedVersion', 'session') === offered) return false;
    if (!writeText('reloadedVersion', offered, 'session')) return false;
    window.location.reload();
    return true;
  } catch {
    return false;
  }
}
