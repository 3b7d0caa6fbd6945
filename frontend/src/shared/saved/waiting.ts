// The queue of saves. A save is stored under its Idempotency-Key before it is sent, so that neither a lost network
// nor a closed tab loses it. It is sent until the server has answered; a repeated request saves only once.
import { ApiError } from '@/api/error';
import type { ErrorDetails, SavedDocument, SaveRequest } from '@/api/types';
import { readDraft, removeDraft, writeDraft } from '@/shared/drafts';
import { currentSession, whenLoggedOut } from '@/shared/session/session';
import { readJson, remove, writeJson } from '@/shared/storage';
import { createStore, useStore } from '@/shared/store';

import { restoreSaved, save } from './calls';

/**
 * The reason why a save has not succeeded yet: it waits for the network or for a login, or a refusal needs a
 * decision.
 */
export type Trouble =
  | { kind: 'network' }
  | { kind: 'login' }
  | { kind: 'refused'; status: number; code: ApiError['code']; message: string; details: ErrorDetails };

export interface Order {
  /** The Idempotency-Key. */
  key: string;
  /** The owner's id; other sessions do not send it. */
  userId: string;
  templateId: string;
  title: string;
  body: SaveRequest;
  /** The draft of the values, which is removed after they are saved. */
  draft: { key: string; filling: string };
  /** Null during the first try. */
  trouble: Trouble | null;
}

function isOrder(value: unknown): value is Order {
  return typeof value === 'object' && value !== null && 'key' in value && 'body' in value && 'draft' in value;
}

function read(): Order[] {
  const stored = readJson('waitingSaves');
  return Array.isArray(stored) ? stored.filter(isOrder) : [];
}

const orders = createStore<Order[]>(read());

function update(change: (now: Order[]) => Order[]): void {
  const next = change(read());
  if (next.length > 0) writeJson('waitingSaves', next);
  else remove('waitingSaves');
  orders.set(read());
}

whenLoggedOut(() => orders.set(read()));

/** Returns the unfinished saves of a user. */
export function useWaitingSaves(userId: string | undefined): Order[] {
  return useStore(orders).filter((order) => order.userId === userId);
}

const savedListeners = new Set<(order: Order, saved: SavedDocument) => void>();

/** Calls `tell` for every save that this tab finishes. The returned function unsubscribes. */
export function whenSaved(tell: (order: Order, saved: SavedDocument) => void): () => void {
  savedListeners.add(tell);
  return () => savedListeners.delete(tell);
}

function finish(order: Order, saved: SavedDocument): void {
  drop(order);
  const { key, filling } = order.draft;
  const draft = readDraft(key);
  if (draft?.filling === filling) removeDraft(key);
  // The draft was changed since. It now belongs to the version that was just saved.
  else if (
    draft?.edit?.version === order.body.version &&
    draft?.edit &&
    saved._id === order.body.savedDocumentId
  )
    writeDraft(key, { ...draft, edit: { ...draft.edit, version: saved.version } });
  savedListeners.forEach((tell) => tell(order, saved));
}

/** Cancels a save; its draft stays. */
export function drop({ key }: Order): void {
  update((now) => now.filter((other) => other.key !== key));
}

/** The last refused token, which is not sent again. */
let refusedToken: string | null = null;

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ApiError)) {
    return { kind: 'refused', status: 0, code: 'unknown', message: '', details: {} };
  }
  const { status, code, message, details } = error;
  // The server was not reached or is busy; a later try may succeed.
  if (status === 0 || status === 429 || status >= 502) return { kind: 'network' };
  if (status === 401) return { kind: 'login' };
  return { kind: 'refused', status, code, message, details };
}

/** Returns the refusal of a save as an error, for its text. */
export function refusalOf(trouble: Trouble | null): ApiError | null {
  return trouble?.kind === 'refused' ? new ApiError(trouble.status, trouble) : null;
}

const running = new Set<string>();

/**
 * Runs only once at a time, across all tabs if the browser supports locks. If it is already running, nothing is
 * done.
 */
async function alone(name: string, run: () => Promise<void>): Promise<void> {
  if (running.has(name)) return;
  running.add(name);
  try {
    const { locks } = navigator as { locks?: LockManager };
    if (!locks) await run();
    else
      await locks.request(`waraq-${name}`, { ifAvailable: true }, async (lock) => {
        if (lock) await run();
      });
  } finally {
    running.delete(name);
  }
}

/** Sends a save. Returns null after success. */
async function send(order: Order): Promise<Trouble | null> {
  const token = currentSession()?.token ?? null;
  try {
    finish(order, await save(order.templateId, order.body, order.key));
    return null;
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble.kind === 'login') refusedToken = token;
    note(order, trouble);
    return trouble;
  }
}

function note({ key }: Order, trouble: Trouble): void {
  update((now) => now.map((order) => (order.key === key ? { ...order, trouble } : order)));
}

/** Saves now, or as soon as possible. Returns the reason for a delay, or null. */
export async function place(order: Omit<Order, 'trouble'>): Promise<Trouble | null> {
  const placed: Order = { ...order, trouble: null };
  update((now) => [...now.filter(({ key }) => key !== order.key), placed]);
  let trouble: Trouble | null = { kind: 'network' };
  await alone(order.key, async () => {
    trouble = await send(placed);
  });
  return trouble;
}

/** Returns the saves that the current user can send. */
function sendable(): Order[] {
  const session = currentSession();
  if (!session || session.token === refusedToken) return [];
  return read().filter((order) => order.userId === session.user._id && order.trouble?.kind !== 'refused');
}

/**
 * Sends the waiting saves one after the other, until one finds no network. Returns true if some are still waiting.
 */
export async function sendWaiting(): Promise<boolean> {
  let lost = false;
  await alone('saves', async () => {
    for (const order of sendable()) {
      await alone(order.key, async () => {
        // Another tab may have sent it meanwhile.
        if (lost || !read().some(({ key }) => key === order.key)) return;
        lost = (await send(order))?.kind === 'network';
      });
    }
  });
  return sendable().length > 0;
}

/** Resolves a conflict: copies the document, and saves these values in the copy. */
export async function keepAsCopy(order: Order, title: string): Promise<void> {
  const { templateId, body, key } = order;
  try {
    // The key of each step is derived from the order's, so that a repetition makes no second copy.
    const copy = await save(templateId, { duplicateOf: body.savedDocumentId ?? null }, `${key}-copy`);
    const mine = { ...body, title, savedDocumentId: copy._id, version: copy.version };
    finish(order, await save(templateId, mine, `${key}-mine`));
  } catch (error) {
    // The document was deleted meanwhile, which needs another decision.
    if (error instanceof ApiError && error.status === 404) note(order, troubleOf(error));
    throw error;
  }
}

/** Undeletes a document that was deleted elsewhere, and saves it. */
export async function restoreAndSend(order: Order): Promise<void> {
  if (order.body.savedDocumentId) await restoreSaved(order.body.savedDocumentId);
  await send(order);
}

/** Sends a refused save again. */
export async function sendAgain(order: Order): Promise<void> {
  await send(order);
}

/** Follows the changes that other tabs make to the queue. The returned function stops that. */
export function followWaiting(): () => void {
  const changed = ({ key }: StorageEvent) => {
    if (key === null || key === 'waitingSaves') orders.set(read());
  };
  window.addEventListener('storage', changed);
  return () => window.removeEventListener('storage', changed);
}
