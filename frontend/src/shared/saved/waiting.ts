// The queue of saves. A save is stored under its Idempotency-Key before it is sent, so that neither a lost network
// nor a closed tab loses it. It is sent until the server has answered; a repeated request saves only once.
import { ApiError } from '@/api/error';
import type { ErrorDetails, SavedDocument, SaveRequest } from '@/api/types';
import { changeDraft } from '@/shared/drafts';
import { userOwner } from '@/shared/personal/owner';
import { change, list, read, whenChanged } from '@/shared/personal/store';
import { currentSession, whenIdentityChanges } from '@/shared/session/session';
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
  /** The user's id; other sessions do not send it. */
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

/** Returns the unfinished saves of the current user, the oldest first. */
function ownOrders(): Order[] {
  const user = currentSession()?.user;
  return user
    ? list('save', userOwner(user._id))
        .map(({ value }) => value)
        .filter(isOrder)
    : [];
}

/** Returns true if a save is neither finished nor cancelled, here or in another tab. */
function isPending({ key, userId }: Order): boolean {
  return read('save', key, userOwner(userId)) !== null;
}

const orders = createStore<Order[]>(ownOrders());
const follow = () => orders.set(ownOrders());
whenChanged(({ kind }) => {
  if (kind === 'save') follow();
});
whenIdentityChanges(follow);

/** Returns the unfinished saves of the current user. */
export function useWaitingSaves(): Order[] {
  return useStore(orders);
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
  const edited = saved._id === order.body.savedDocumentId;
  void changeDraft(
    key,
    (draft) => {
      if (!draft || draft.filling === filling) return null;
      // The draft was changed since. It now belongs to the version that was just saved.
      return edited && draft.edit && draft.edit.version === order.body.version
        ? { ...draft, edit: { ...draft.edit, version: saved.version } }
        : draft;
    },
    userOwner(order.userId),
  );
  if (isOwn(order)) savedListeners.forEach((tell) => tell(order, saved));
}

function isOwn({ userId }: Order): boolean {
  return currentSession()?.user._id === userId;
}

/** Cancels a save; its draft stays. */
export function drop({ key, userId }: Pick<Order, 'key' | 'userId'>): void {
  void change('save', key, () => null, userOwner(userId));
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

/** Sends a save. Returns null after success. A save is sent only in the session of its user. */
async function send(order: Order): Promise<Trouble | null> {
  if (!isOwn(order)) return { kind: 'login' };
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

function note({ key, userId }: Order, trouble: Trouble): void {
  void change('save', key, (now) => (isOrder(now) ? { ...now, trouble } : null), userOwner(userId));
}

/** Saves now, or as soon as possible. Returns the reason for a delay, or null. */
export async function place(order: Omit<Order, 'trouble'>): Promise<Trouble | null> {
  const placed: Order = { ...order, trouble: null };
  await change('save', order.key, () => placed, userOwner(order.userId));
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
  return ownOrders().filter(({ trouble }) => trouble?.kind !== 'refused');
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
        if (lost || !isPending(order)) return;
        lost = (await send(order))?.kind === 'network';
      });
    }
  });
  return sendable().length > 0;
}

/** Resolves a conflict: copies the document, and saves these values in the copy. */
export async function keepAsCopy(order: Order, title: string): Promise<void> {
  const { templateId, body, key } = order;
  if (!isOwn(order)) return;
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
  if (!isOwn(order)) return;
  if (order.body.savedDocumentId) await restoreSaved(order.body.savedDocumentId);
  await send(order);
}

/** Sends a refused save again. */
export async function sendAgain(order: Order): Promise<void> {
  await send(order);
}
