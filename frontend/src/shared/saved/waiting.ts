// Saves on their way. One is written down before it is sent, under its Idempotency-Key, so that neither a lost network nor a closed
// tab loses it: it is sent until it is answered, and whatever is sent twice is saved once.
import { ApiError } from '@/api/error';
import type { ErrorDetails, SavedDocument, SaveRequest } from '@/api/types';
import { readDraft, removeDraft, writeDraft } from '@/shared/drafts';
import { currentSession, whenLoggedOut } from '@/shared/session/session';
import { readJson, remove, writeJson } from '@/shared/storage';
import { createStore, useStore } from '@/shared/store';

import { restoreSaved, save } from './calls';

/** Why a save has not come through yet: it waits for the network or for a login, or it was refused and wants a decision. */
export type Trouble =
  | { kind: 'network' }
  | { kind: 'login' }
  | { kind: 'refused'; status: number; code: ApiError['code']; message: string; details: ErrorDetails };

export interface Order {
  /** The Idempotency-Key. */
  key: string;
  /** Whose document it is: nobody else's session sends it. */
  userId: string;
  templateId: string;
  title: string;
  body: SaveRequest;
  /** Where the values were entered; that draft goes once they are saved. */
  draft: { key: string; filling: string };
  /** Null while it is sent for the first time. */
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

/** The saves of whoever is logged in that have not come through. */
export function useWaitingSaves(userId: string | undefined): Order[] {
  return useStore(orders).filter((order) => order.userId === userId);
}

const savedListeners = new Set<(order: Order, saved: SavedDocument) => void>();

/** Tells of every save this tab brought through, until the answer is called. */
export function whenSaved(tell: (order: Order, saved: SavedDocument) => void): () => void {
  savedListeners.add(tell);
  return () => savedListeners.delete(tell);
}

function finish(order: Order, saved: SavedDocument): void {
  drop(order);
  const { key, filling } = order.draft;
  const draft = readDraft(key);
  if (draft?.filling === filling) removeDraft(key);
  // Entered on since, on top of what is saved now: the next save is of that version.
  else if (
    draft?.edit?.version === order.body.version &&
    draft?.edit &&
    saved._id === order.body.savedDocumentId
  )
    writeDraft(key, { ...draft, edit: { ...draft.edit, version: saved.version } });
  savedListeners.forEach((tell) => tell(order, saved));
}

/** Gives a save up; the draft it was made of stays. */
export function drop({ key }: Order): void {
  update((now) => now.filter((other) => other.key !== key));
}

/** The token that was refused last: it is not sent again. */
let refusedToken: string | null = null;

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ApiError)) {
    return { kind: 'refused', status: 0, code: 'unknown', message: '', details: {} };
  }
  const { status, code, message, details } = error;
  // Nobody is there, or nobody has time: the next try may find somebody.
  if (status === 0 || status === 429 || status >= 502) return { kind: 'network' };
  if (status === 401) return { kind: 'login' };
  return { kind: 'refused', status, code, message, details };
}

/** What was said when a save was refused, for the texts of errors. */
export function refusalOf(trouble: Trouble | null): ApiError | null {
  return trouble?.kind === 'refused' ? new ApiError(trouble.status, trouble) : null;
}

const running = new Set<string>();

/** Runs once at a time, in all tabs together where the browser has locks; where it is being run already, nothing is done. */
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

/** Sends a save; null: it has come through. */
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

/** Saves, now or as soon as it can be done; answers why not yet, or null. */
export async function place(order: Omit<Order, 'trouble'>): Promise<Trouble | null> {
  const placed: Order = { ...order, trouble: null };
  update((now) => [...now.filter(({ key }) => key !== order.key), placed]);
  let trouble: Trouble | null = { kind: 'network' };
  await alone(order.key, async () => {
    trouble = await send(placed);
  });
  return trouble;
}

/** The saves that can be sent by whoever is logged in. */
function sendable(): Order[] {
  const session = currentSession();
  if (!session || session.token === refusedToken) return [];
  return read().filter((order) => order.userId === session.user._id && order.trouble?.kind !== 'refused');
}

/** Sends what waits, one after the other, until one finds no network; answers whether something is still waiting for it. */
export async function sendWaiting(): Promise<boolean> {
  let lost = false;
  await alone('saves', async () => {
    for (const order of sendable()) {
      await alone(order.key, async () => {
        // Meanwhile another tab may have sent it.
        if (lost || !read().some(({ key }) => key === order.key)) return;
        lost = (await send(order))?.kind === 'network';
      });
    }
  });
  return sendable().length > 0;
}

/** A save whose document was changed elsewhere, kept beside it: a copy of that document, with these values. */
export async function keepAsCopy(order: Order, title: string): Promise<void> {
  const { templateId, body, key } = order;
  try {
    // Each step has a name made of the order's: begun again, it makes no second copy.
    const copy = await save(templateId, { duplicateOf: body.savedDocumentId ?? null }, `${key}-copy`);
    const mine = { ...body, title, savedDocumentId: copy._id, version: copy.version };
    finish(order, await save(templateId, mine, `${key}-mine`));
  } catch (error) {
    // Deleted since: that wants another decision.
    if (error instanceof ApiError && error.status === 404) note(order, troubleOf(error));
    throw error;
  }
}

/** A save whose document was deleted elsewhere: the document is brought back and saved. */
export async function restoreAndSend(order: Order): Promise<void> {
  if (order.body.savedDocumentId) await restoreSaved(order.body.savedDocumentId);
  await send(order);
}

/** A refused save, once more. */
export async function sendAgain(order: Order): Promise<void> {
  await send(order);
}

/** What another tab does to the waiting saves is this one's too. */
export function followWaiting(): () => void {
  const changed = ({ key }: StorageEvent) => {
    if (key === null || key === 'waitingSaves') orders.set(read());
  };
  window.addEventListener('storage', changed);
  return () => window.removeEventListener('storage', changed);
}
