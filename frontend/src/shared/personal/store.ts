// Stores the input of users on this device until it is saved. Each entry has an owner and an expiry. The database is
// IndexedDB, which several tabs share; a copy in memory makes reading synchronous.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

import { browserId } from '@/shared/session/browserSession';
import { readJson, removeKey, writeJson } from '@/shared/storage';
import { createStore } from '@/shared/store';

import { isEntry, lifetimeMs, type Entry, type EntryKey, type EntryKind } from './entry';
import { browserSessionOf, currentOwner, type Owner } from './owner';

interface DatabaseSchema extends DBSchema {
  entries: { key: EntryKey; value: Entry };
}
type Database = IDBPDatabase<DatabaseSchema>;

const DATABASE_NAME = 'waraq';
const DATABASE_VERSION = 1;
/** The time after which a missing response of the database counts as a refusal, in milliseconds. */
const TIMEOUT_MS = 3_000;
/** The same for a file, which may have 20 MB. */
const FILE_TIMEOUT_MS = 60_000;

/** The reason why entries cannot be stored: the storage is full, or the browser refuses it. */
export type StorageProblem = 'full' | 'refused';
/** The current problem; null if all entries are stored. `unstoredEntries` returns the entries concerned. */
export const storageProblem = createStore<StorageProblem | null>(null);

export interface EntryChange {
  owner: Owner;
  kind: EntryKind;
  key: string;
  /** True if another tab made the change. */
  elsewhere: boolean;
}

/** The new state of an entry, as a message to other tabs. `at` is its key; `entry` is null after a deletion. */
interface EntryUpdate {
  at: EntryKey;
  written: number;
  entry: Entry | null;
}

/** The state of an entry in this tab. */
interface EntryState {
  entry: Entry | null;
  /** The time of the newest stored state that is known. */
  written: number;
  /** The number of changes that are not stored yet. */
  pendingChanges: number;
  /** A stored state that is shown as soon as no change is running. */
  latestStored: { entry: Entry | null; written: number } | null;
  /** True if the last change could not be stored. */
  isUnstored: boolean;
}

const states = new Map<string, EntryState>();
const listeners = new Set<(change: EntryChange) => void>();
let database: Database | null = null;
let opening: Promise<void> | null = null;
let channel: BroadcastChannel | null = null;

const keyText = (at: EntryKey) => JSON.stringify(at);

function stateAt(at: EntryKey): EntryState {
  const id = keyText(at);
  let state = states.get(id);
  if (!state) {
    state = { entry: null, written: 0, pendingChanges: 0, latestStored: null, isUnstored: false };
    states.set(id, state);
  }
  return state;
}

/** Calls `listener` after each change of an entry, in this tab or another. The returned function unsubscribes. */
export function onEntryChange(listener: (change: EntryChange) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners([owner, kind, key]: EntryKey, elsewhere: boolean): void {
  listeners.forEach((listener) => listener({ owner, kind, key, elsewhere }));
}

function isAlive({ expires, browser }: Entry): boolean {
  return expires > Date.now() && (browser === null || browser === browserId());
}

/** Opens the database, deletes what has expired, and reads the rest. Never fails: without it, memory is used. */
export function openStore(): Promise<void> {
  if (!opening) window.addEventListener('pagehide', flushUnstored);
  opening ??= Promise.race([
    // The first change that cannot be stored reports the failure.
    openDatabase().catch(() => undefined),
    new Promise<void>((late) => setTimeout(late, TIMEOUT_MS)),
  ]);
  return opening;
}

async function openDatabase(): Promise<void> {
  const newDatabase = await openDB<DatabaseSchema>(DATABASE_NAME, DATABASE_VERSION, {
    upgrade: (created) => void created.createObjectStore('entries', { keyPath: ['owner', 'kind', 'key'] }),
    // A tab with a newer version of the site needs the database.
    blocking: () => {
      database?.close();
      database = null;
    },
    terminated: () => {
      database = null;
    },
  });
  const transaction = newDatabase.transaction('entries', 'readwrite');
  for (const { at, written, entry } of readUnstoredUpdates()) {
    const stored = await transaction.store.get(at);
    if (stored && stored.written >= written) continue;
    if (entry) await transaction.store.put(entry);
    else await transaction.store.delete(at);
  }
  for (const entry of await transaction.store.getAll()) {
    if (!isEntry(entry) || !isAlive(entry)) {
      await transaction.store.delete([entry.owner, entry.kind, entry.key]);
      continue;
    }
    const state = stateAt([entry.owner, entry.kind, entry.key]);
    // An entry that was changed before the database was open is stored below.
    if (state.entry === null && !state.isUnstored) Object.assign(state, { entry, written: entry.written });
  }
  await transaction.done;
  removeKey('leftEntries');
  database = newDatabase;
  openChannel();
  for (const { entry } of [...states.values()])
    if (entry) notifyListeners([entry.owner, entry.kind, entry.key], true);
  // Stores the changes that were made while the database was opening.
  for (const [id, { isUnstored }] of states) if (isUnstored) await storeAgain(JSON.parse(id) as EntryKey);
}

function openChannel(): void {
  if (typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel(DATABASE_NAME);
  channel.onmessage = ({ data }: MessageEvent<EntryUpdate>) => receiveUpdate(data);
}

function receiveUpdate({ at, written, entry }: EntryUpdate): void {
  const state = stateAt(at);
  if (written <= Math.max(state.written, state.latestStored?.written ?? 0)) return;
  if (state.pendingChanges > 0) {
    state.latestStored = { entry, written };
    return;
  }
  state.written = written;
  // A change that this tab could not store is not overwritten.
  if (state.isUnstored) return;
  state.entry = entry;
  notifyListeners(at, true);
}

/** Returns the value of an entry, or null. */
export function readEntry(kind: EntryKind, key: string, owner = currentOwner()): unknown {
  const entry = states.get(keyText([owner, kind, key]))?.entry;
  return entry && isAlive(entry) ? entry.value : null;
}

/** Returns an owner's entries of a kind, the oldest first. */
export function listEntries(kind: EntryKind, owner = currentOwner()): Entry[] {
  return [...states.values()]
    .flatMap(({ entry }) => (entry?.owner === owner && entry.kind === kind && isAlive(entry) ? [entry] : []))
    .sort((one, other) => one.written - other.written);
}

/**
 * Changes an entry: `update` gets its value or null, and returns the new value, or null to delete it. It must be
 * pure, because it is applied to the copy in memory at once, and then to the stored value, which another tab may have
 * changed. Returns true when the change is stored, and false if that failed.
 */
export async function changeEntry(
  kind: EntryKind,
  key: string,
  update: (now: unknown) => unknown,
  owner = currentOwner(),
): Promise<boolean> {
  const at: EntryKey = [owner, kind, key];
  const state = stateAt(at);
  const currentValue = state.entry && isAlive(state.entry) ? state.entry.value : null;
  const browser = browserSessionOf(owner);
  const value = update(currentValue);
  // If the last change could not be stored, the stored value is outdated and is replaced.
  const replaces = state.isUnstored;
  const updateToStore = replaces ? () => value : update;
  state.entry = createEntry(at, value, browser, state.written);
  state.pendingChanges += 1;
  notifyListeners(at, false);
  let result: EntryState['latestStored'] = null;
  let failure: unknown = null;
  try {
    result = await withTimeout(
      writeEntry(at, updateToStore, browser),
      kind === 'file' ? FILE_TIMEOUT_MS : TIMEOUT_MS,
    );
  } catch (error) {
    failure = error;
  }
  state.pendingChanges -= 1;
  // An earlier change of this entry failed while this one was running, so the stored value lacks it.
  const incomplete = failure === null && !replaces && state.isUnstored;
  if (result && result.written > (state.latestStored?.written ?? 0)) state.latestStored = result;
  const { latestStored } = state;
  if (state.pendingChanges === 0 && latestStored && incomplete) {
    state.latestStored = null;
    void storeAgain(at);
  } else if (state.pendingChanges === 0 && latestStored) {
    // A change that could not be stored is applied to the value that another tab has stored.
    state.entry =
      failure === null
        ? latestStored.entry
        : createEntry(at, updateToStore(latestStored.entry?.value ?? null), browser, latestStored.written);
    state.written = latestStored.written;
    state.latestStored = null;
    if (latestStored !== result) notifyListeners(at, true);
  }
  if (!incomplete) state.isUnstored = failure !== null && state.entry !== null;
  if (state.isUnstored) storageProblem.set(isFull(failure) ? 'full' : (storageProblem.get() ?? 'refused'));
  else clearStorageProblem();
  return failure === null;
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

function createEntry(
  [owner, kind, key]: EntryKey,
  value: unknown,
  browser: string | null,
  after: number,
): Entry | null {
  if (value === null || value === undefined) return null;
  const written = Math.max(Date.now(), after + 1);
  return { owner, kind, key, value, written, expires: written + lifetimeMs(kind), browser };
}

async function writeEntry(at: EntryKey, update: (now: unknown) => unknown, browser: string | null) {
  if (!database) throw new Error('The database is not open.');
  const transaction = database.transaction('entries', 'readwrite');
  // `await transaction.done` below reports the failure.
  transaction.done.catch(() => undefined);
  const stored = await transaction.store.get(at);
  const after = Math.max(stored?.written ?? 0, stateAt(at).written);
  const entry = createEntry(at, update(stored && isAlive(stored) ? stored.value : null), browser, after);
  if (entry) await transaction.store.put(entry);
  else if (stored) await transaction.store.delete(at);
  await transaction.done;
  const result = { entry, written: entry?.written ?? Math.max(Date.now(), after + 1) };
  channel?.postMessage({ at, ...result } satisfies EntryUpdate);
  return result;
}

function withTimeout<T>(running: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The database does not answer.')), timeoutMs);
    running.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Stores the value of an entry that this tab has in memory. */
function storeAgain([owner, kind, key]: EntryKey): Promise<boolean> {
  const value = readEntry(kind, key, owner);
  return changeEntry(kind, key, () => value, owner);
}

function clearStorageProblem(): void {
  if (storageProblem.get() !== null && ![...states.values()].some(({ isUnstored }) => isUnstored))
    storageProblem.set(null);
}

/** Returns the entries that could not be stored. They are lost when this page is closed. */
export function unstoredEntries(owner = currentOwner()): Entry[] {
  return [...states.values()].flatMap(({ entry, isUnstored }) =>
    isUnstored && entry?.owner === owner ? [entry] : [],
  );
}

/** Tries again to store the entries that could not be stored. Returns true if all are stored now. */
export async function retryStoring(): Promise<boolean> {
  if (!database) await openDatabase().catch(() => undefined);
  for (const [id, { isUnstored }] of [...states])
    if (isUnstored) await storeAgain(JSON.parse(id) as EntryKey);
  return unstoredEntries().length === 0;
}

function isEntryUpdate(value: unknown): value is EntryUpdate {
  const { at, written, entry } = (value ?? {}) as Partial<EntryUpdate>;
  return Array.isArray(at) && typeof written === 'number' && (entry === null || isEntry(entry));
}

/** Returns the changes that `flushUnstored` has written to localStorage. */
function readUnstoredUpdates(): EntryUpdate[] {
  const stored = readJson('leftEntries');
  return Array.isArray(stored) ? stored.filter(isEntryUpdate) : [];
}

function writeUnstoredUpdates(changes: readonly EntryUpdate[]): void {
  if (changes.length > 0) writeJson('leftEntries', changes);
  else removeKey('leftEntries');
}

/**
 * Writes changes that are not stored yet to localStorage when the page is left, because the browser then aborts the
 * transactions of the database. The next page stores them.
 */
export function flushUnstored(): void {
  const updates = new Map(readUnstoredUpdates().map((update) => [keyText(update.at), update]));
  for (const [id, { entry, pendingChanges, isUnstored, written }] of states) {
    // A file cannot be written as text.
    if ((pendingChanges === 0 && !isUnstored) || entry?.kind === 'file') continue;
    const at = JSON.parse(id) as EntryKey;
    updates.set(id, { at, entry, written: entry?.written ?? Math.max(Date.now(), written + 1) });
  }
  writeUnstoredUpdates([...updates.values()]);
}

/** Moves an entry to another owner, and replaces that owner's entry. */
export function transferEntry(kind: EntryKind, key: string, from: Owner, to: Owner): void {
  const value = readEntry(kind, key, from);
  if (value === null) return;
  void changeEntry(kind, key, () => value, to);
  void changeEntry(kind, key, () => null, from);
}

/** Deletes all entries of an owner. */
export function deleteEntriesOf(owner: Owner): void {
  for (const { entry } of [...states.values()])
    if (entry?.owner === owner) void changeEntry(entry.kind, entry.key, () => null, owner);
  writeUnstoredUpdates(readUnstoredUpdates().filter(({ at }) => at[0] !== owner));
  // Another tab may have stored an entry that this tab does not know yet.
  database?.delete('entries', IDBKeyRange.bound([owner], [owner, []])).catch(() => undefined);
}

/** Updates whether an owner's entries end with the browser session, which the latest login of the owner decides. */
export function rebindEntries(owner: Owner): void {
  const browser = browserSessionOf(owner);
  for (const { entry } of [...states.values()])
    if (entry?.owner === owner && entry.browser !== browser)
      void changeEntry(entry.kind, entry.key, (now) => now, owner);
}
