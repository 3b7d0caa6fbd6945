// What people type, kept on this device until it is saved: each entry has an owner and an expiry. The database is
// IndexedDB; a copy in memory makes reading synchronous. Several tabs share it.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

import { browserId } from '@/shared/session/browserSession';
import { readJson, remove, writeJson } from '@/shared/storage';
import { createStore } from '@/shared/store';

import { isEntry, lifeOf, type Entry, type EntryKey, type Kind } from './entry';
import { boundTo, currentOwner, type Owner } from './owner';

interface Schema extends DBSchema {
  entries: { key: EntryKey; value: Entry };
}
type Database = IDBPDatabase<Schema>;

const NAME = 'waraq';
const VERSION = 1;
/** The time after which a browser that does not answer counts as one that refuses, in milliseconds. */
const PATIENCE_MS = 3_000;
/** The same for a file, which may have 20 MB. */
const FILE_PATIENCE_MS = 60_000;

/** The reason why something cannot be kept: the storage is full, or the browser refuses it. */
export type Trouble = 'full' | 'refused';
/** Set while something that was typed is not kept on this device; `lostEntries` returns what it is. */
export const trouble = createStore<Trouble | null>(null);

export interface Change {
  owner: Owner;
  kind: Kind;
  key: string;
  /** True if another tab made the change. */
  elsewhere: boolean;
}

/** A message to the other tabs. */
interface Told {
  at: EntryKey;
  written: number;
  entry: Entry | null;
}

/** The state of an entry in this tab. */
interface Known {
  entry: Entry | null;
  /** The time of the newest stored state that is known. */
  written: number;
  /** The number of changes that are not stored yet. */
  running: number;
  /** A stored state that is shown as soon as no change is running. */
  next: { entry: Entry | null; written: number } | null;
  /** True if the last change could not be stored. */
  lost: boolean;
}

const known = new Map<string, Known>();
const listeners = new Set<(change: Change) => void>();
let database: Database | null = null;
let opening: Promise<void> | null = null;
let channel: BroadcastChannel | null = null;

const idOf = (at: EntryKey) => JSON.stringify(at);

function knownAt(at: EntryKey): Known {
  const id = idOf(at);
  let state = known.get(id);
  if (!state) {
    state = { entry: null, written: 0, running: 0, next: null, lost: false };
    known.set(id, state);
  }
  return state;
}

/** Calls `listener` after each change of an entry, in this tab or another. The returned function unsubscribes. */
export function whenChanged(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell([owner, kind, key]: EntryKey, elsewhere: boolean): void {
  listeners.forEach((listener) => listener({ owner, kind, key, elsewhere }));
}

function isAlive({ expires, browser }: Entry): boolean {
  return expires > Date.now() && (browser === null || browser === browserId());
}

/** Opens the database, deletes what has expired, and reads the rest. Never fails: without it, memory is used. */
export function openStore(): Promise<void> {
  if (!opening) window.addEventListener('pagehide', keepNow);
  opening ??= Promise.race([
    // The first change that cannot be stored reports the failure.
    open().catch(() => undefined),
    new Promise<void>((late) => setTimeout(late, PATIENCE_MS)),
  ]);
  return opening;
}

async function open(): Promise<void> {
  const opened = await openDB<Schema>(NAME, VERSION, {
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
  const transaction = opened.transaction('entries', 'readwrite');
  for (const { at, written, entry } of leftChanges()) {
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
    const state = knownAt([entry.owner, entry.kind, entry.key]);
    // An entry that was changed before the database was open is stored below.
    if (state.entry === null && !state.lost) Object.assign(state, { entry, written: entry.written });
  }
  await transaction.done;
  remove('leftEntries');
  database = opened;
  listen();
  for (const { entry } of [...known.values()]) if (entry) tell([entry.owner, entry.kind, entry.key], true);
  // What was typed while the database was opening.
  for (const [id, { lost }] of known) if (lost) await keepAgain(JSON.parse(id) as EntryKey);
}

function listen(): void {
  if (typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
}

function hear({ at, written, entry }: Told): void {
  const state = knownAt(at);
  if (written <= Math.max(state.written, state.next?.written ?? 0)) return;
  if (state.running > 0) {
    state.next = { entry, written };
    return;
  }
  state.written = written;
  // What this tab could not store is not replaced.
  if (state.lost) return;
  state.entry = entry;
  tell(at, true);
}

/** Returns the value of an entry, or null. */
export function read(kind: Kind, key: string, owner = currentOwner()): unknown {
  const entry = known.get(idOf([owner, kind, key]))?.entry;
  return entry && isAlive(entry) ? entry.value : null;
}

/** Returns an owner's entries of a kind, the oldest first. */
export function list(kind: Kind, owner = currentOwner()): Entry[] {
  return [...known.values()]
    .flatMap(({ entry }) => (entry?.owner === owner && entry.kind === kind && isAlive(entry) ? [entry] : []))
    .sort((one, other) => one.written - other.written);
}

/**
 * Changes an entry: `make` gets its value or null, and returns the new value, or null to delete it. It must be pure,
 * because it is applied to the copy in memory at once, and then to the stored value, which another tab may have
 * changed. Returns true when the change is stored, and false if that failed.
 */
export async function change(
  kind: Kind,
  key: string,
  make: (now: unknown) => unknown,
  owner = currentOwner(),
): Promise<boolean> {
  const at: EntryKey = [owner, kind, key];
  const state = knownAt(at);
  const before = state.entry && isAlive(state.entry) ? state.entry.value : null;
  const browser = boundTo(owner);
  const value = make(before);
  // After a change that could not be stored, the stored value is not the one that is changed.
  const whole = state.lost;
  const apply = whole ? () => value : make;
  state.entry = entryOf(at, value, browser, state.written);
  state.running += 1;
  tell(at, false);
  let result: Known['next'] = null;
  let failure: unknown = null;
  try {
    result = await withPatience(store(at, apply, browser), kind === 'file' ? FILE_PATIENCE_MS : PATIENCE_MS);
  } catch (error) {
    failure = error;
  }
  state.running -= 1;
  // An earlier change of this entry failed while this one was running, so the stored value lacks it.
  const incomplete = failure === null && !whole && state.lost;
  if (result && result.written > (state.next?.written ?? 0)) state.next = result;
  const { next } = state;
  if (state.running === 0 && next && incomplete) {
    state.next = null;
    void keepAgain(at);
  } else if (state.running === 0 && next) {
    // A change that could not be stored is applied to what another tab has stored.
    state.entry =
      failure === null ? next.entry : entryOf(at, apply(next.entry?.value ?? null), browser, next.written);
    state.written = next.written;
    state.next = null;
    if (next !== result) tell(at, true);
  }
  if (!incomplete) state.lost = failure !== null && state.entry !== null;
  if (state.lost) trouble.set(isFull(failure) ? 'full' : (trouble.get() ?? 'refused'));
  else settleTrouble();
  return failure === null;
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

function entryOf(
  [owner, kind, key]: EntryKey,
  value: unknown,
  browser: string | null,
  after: number,
): Entry | null {
  if (value === null || value === undefined) return null;
  const written = Math.max(Date.now(), after + 1);
  return { owner, kind, key, value, written, expires: written + lifeOf(kind), browser };
}

async function store(at: EntryKey, make: (now: unknown) => unknown, browser: string | null) {
  if (!database) throw new Error('The database is not open.');
  const transaction = database.transaction('entries', 'readwrite');
  // The failure of an operation is reported below.
  transaction.done.catch(() => undefined);
  const stored = await transaction.store.get(at);
  const after = Math.max(stored?.written ?? 0, knownAt(at).written);
  const entry = entryOf(at, make(stored && isAlive(stored) ? stored.value : null), browser, after);
  if (entry) await transaction.store.put(entry);
  else if (stored) await transaction.store.delete(at);
  await transaction.done;
  const result = { entry, written: entry?.written ?? Math.max(Date.now(), after + 1) };
  channel?.postMessage({ at, ...result } satisfies Told);
  return result;
}

function withPatience<T>(running: Promise<T>, patience: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The database does not answer.')), patience);
    running.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Stores an entry as this tab knows it. */
function keepAgain([owner, kind, key]: EntryKey): Promise<boolean> {
  const value = read(kind, key, owner);
  return change(kind, key, () => value, owner);
}

function settleTrouble(): void {
  if (trouble.get() !== null && ![...known.values()].some(({ lost }) => lost)) trouble.set(null);
}

/** Returns what could not be kept. It is lost when this page is closed. */
export function lostEntries(owner = currentOwner()): Entry[] {
  return [...known.values()].flatMap(({ entry, lost }) => (lost && entry?.owner === owner ? [entry] : []));
}

/** Tries to keep again what could not be kept. Returns true if everything is kept now. */
export async function retry(): Promise<boolean> {
  if (!database) await open().catch(() => undefined);
  for (const [id, { lost }] of [...known]) if (lost) await keepAgain(JSON.parse(id) as EntryKey);
  return lostEntries().length === 0;
}

function isTold(value: unknown): value is Told {
  const { at, written, entry } = (value ?? {}) as Partial<Told>;
  return Array.isArray(at) && typeof written === 'number' && (entry === null || isEntry(entry));
}

/** Returns the changes that pages wrote down while they were left. */
function leftChanges(): Told[] {
  const left = readJson('leftEntries');
  return Array.isArray(left) ? left.filter(isTold) : [];
}

function writeLeft(changes: readonly Told[]): void {
  if (changes.length > 0) writeJson('leftEntries', changes);
  else remove('leftEntries');
}

/**
 * Writes down what is not stored yet while the page is being left: the browser aborts the transactions of the database
 * then. The next page takes it over.
 */
export function keepNow(): void {
  const left = new Map(leftChanges().map((told) => [idOf(told.at), told]));
  for (const [id, { entry, running, lost, written }] of known) {
    // A file cannot be written as text.
    if ((running === 0 && !lost) || entry?.kind === 'file') continue;
    const at = JSON.parse(id) as EntryKey;
    left.set(id, { at, entry, written: entry?.written ?? Math.max(Date.now(), written + 1) });
  }
  writeLeft([...left.values()]);
}

/** Gives an owner's entries to another owner, in place of that owner's own ones. */
export function handOver(kind: Kind, key: string, from: Owner, to: Owner): void {
  const value = read(kind, key, from);
  if (value === null) return;
  void change(kind, key, () => value, to);
  void change(kind, key, () => null, from);
}

/** Deletes everything of an owner. */
export function eraseOwner(owner: Owner): void {
  for (const { entry } of [...known.values()])
    if (entry?.owner === owner) void change(entry.kind, entry.key, () => null, owner);
  writeLeft(leftChanges().filter(({ at }) => at[0] !== owner));
  // Another tab may have stored an entry that this tab does not know yet.
  database?.delete('entries', IDBKeyRange.bound([owner], [owner, []])).catch(() => undefined);
}

/** Binds an owner's entries to the browser session or not, as the owner's latest login says. */
export function rebind(owner: Owner): void {
  const browser = boundTo(owner);
  for (const { entry } of [...known.values()])
    if (entry?.owner === owner && entry.browser !== browser)
      void change(entry.kind, entry.key, (now) => now, owner);
}
