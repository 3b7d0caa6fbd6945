// The queue of saves. A save is stored under its Idempotency-Key before it is sent, so that neither a lost network
// nor a closed tab loses it. It is sent until the server responds; a repeated request saves only once.
import { ApiError } from '@/api/error';
import type { ErrorDetails, SavedDocument, SaveRequest } from '@/api/types';
import { changeDraft } from '@/shared/drafts';
import { userOwner } from '@/shared/personal/owner';
import { changeEntry, listEntries, readEntry, onEntryChange } from '@/shared/personal/store';
import { currentSession, onIdentityChange } from '@/shared/session/session';
import { createStore, useStore } from '@/shared/store';

import { undeleteDocument, saveDocument } from './calls';

/**
 * The reason why a save has not succeeded yet: it waits for the network or for a login, or a refusal needs a
 * decision.
 */
export type SaveProblem =
  | { kind: 'network' }
  | { kind: 'login' }
  | { kind: 'refused'; status: number; code: ApiError['code']; message: string; details: ErrorDetails };

export interface PendingSave {
  /** The Idempotency-Key. */
  key: string;
  /** The user's id; other sessions do not send it. */
  userId: string;
  templateId: string;
  title: string;
  body: SaveRequest;
  /** The draft of the values, which is removed after they are saved. */
  draft: { key: string; filling: string };
  /** The problem of the last attempt; null during the first. */
  trouble: SaveProblem | null;
}

function isPendingSave(value: unknown): value is PendingSave {
  return typeof value === 'object' && value !== null && 'key' in value && 'body' in value && 'draft' in value;
}

/** Returns the pending saves of the current user, the oldest first. */
function ownPendingSaves(): PendingSave[] {
  const user = currentSession()?.user;
  return user
    ? listEntries('save', userOwner(user._id))
        .map(({ value }) => value)
        .filter(isPendingSave)
    : [];
}

/** Returns true if a save is neither finished nor cancelled, here or in another tab. */
function isStillPending({ key, userId }: PendingSave): boolean {
  return readEntry('save', key, userOwner(userId)) !== null;
}

const pendingSavesStore = createStore<PendingSave[]>(ownPendingSaves());
const reloadPendingSaves = () => pendingSavesStore.set(ownPendingSaves());
onEntryChange(({ kind }) => {
  if (kind === 'save') reloadPendingSaves();
});
onIdentityChange(reloadPendingSaves);

/** Returns the pending saves of the current user. */
export function usePendingSaves(): PendingSave[] {
  return useStore(pendingSavesStore);
}

const savedListeners = new Set<(order: PendingSave, saved: SavedDocument) => void>();

/** Calls `listener` for every save that this tab finishes. The returned function unsubscribes. */
export function onDocumentSaved(
  listener: (pendingSave: PendingSave, saved: SavedDocument) => void,
): () => void {
  savedListeners.add(listener);
  return () => savedListeners.delete(listener);
}

function finishSave(pendingSave: PendingSave, saved: SavedDocument): void {
  cancelSave(pendingSave);
  const { key, filling } = pendingSave.draft;
  const isEdit = saved._id === pendingSave.body.savedDocumentId;
  void changeDraft(
    key,
    (draft) => {
      if (!draft || draft.filling === filling) return null;
      // The draft was changed since. It now belongs to the version that was just saved.
      return isEdit && draft.edit && draft.edit.version === pendingSave.body.version
        ? { ...draft, edit: { ...draft.edit, version: saved.version } }
        : draft;
    },
    userOwner(pendingSave.userId),
  );
  if (belongsToCurrentUser(pendingSave)) savedListeners.forEach((notify) => notify(pendingSave, saved));
}

function belongsToCurrentUser({ userId }: PendingSave): boolean {
  return currentSession()?.user._id === userId;
}

/** Cancels a save; its draft stays. */
export function cancelSave({ key, userId }: Pick<PendingSave, 'key' | 'userId'>): void {
  void changeEntry('save', key, () => null, userOwner(userId));
}

/** The last refused token, which is not sent again. */
let refusedToken: string | null = null;

function problemFrom(error: unknown): SaveProblem {
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
export function refusalError(problem: SaveProblem | null): ApiError | null {
  return problem?.kind === 'refused' ? new ApiError(problem.status, problem) : null;
}

const runningNames = new Set<string>();

/** Runs a task unless one of the same name is running: in this tab, or in any tab if the browser supports locks. */
async function runExclusively(name: string, task: () => Promise<void>): Promise<void> {
  if (runningNames.has(name)) return;
  runningNames.add(name);
  try {
    const { locks } = navigator as { locks?: LockManager };
    if (!locks) await task();
    else
      await locks.request(`waraq-${name}`, { ifAvailable: true }, async (lock) => {
        if (lock) await task();
      });
  } finally {
    runningNames.delete(name);
  }
}

/** Sends a save. Returns null after success. A save is sent only in the session of its user. */
async function sendSave(pendingSave: PendingSave): Promise<SaveProblem | null> {
  if (!belongsToCurrentUser(pendingSave)) return { kind: 'login' };
  const token = currentSession()?.token ?? null;
  try {
    finishSave(pendingSave, await saveDocument(pendingSave.templateId, pendingSave.body, pendingSave.key));
    return null;
  } catch (error) {
    const problem = problemFrom(error);
    if (problem.kind === 'login') refusedToken = token;
    storeProblem(pendingSave, problem);
    return problem;
  }
}

function storeProblem({ key, userId }: PendingSave, problem: SaveProblem): void {
  void changeEntry(
    'save',
    key,
    (now) => (isPendingSave(now) ? { ...now, trouble: problem } : null),
    userOwner(userId),
  );
}

/** Saves now, or as soon as possible. Returns the reason for a delay, or null. */
export async function submitSave(save: Omit<PendingSave, 'trouble'>): Promise<SaveProblem | null> {
  const pendingSave: PendingSave = { ...save, trouble: null };
  await changeEntry('save', save.key, () => pendingSave, userOwner(save.userId));
  let problem: SaveProblem | null = { kind: 'network' };
  await runExclusively(save.key, async () => {
    problem = await sendSave(pendingSave);
  });
  return problem;
}

/** Returns the saves that the current user can send. */
function sendableSaves(): PendingSave[] {
  const session = currentSession();
  if (!session || session.token === refusedToken) return [];
  return ownPendingSaves().filter(({ trouble }) => trouble?.kind !== 'refused');
}

/** Sends the pending saves one after the other, until the network fails. Returns true if some are still pending. */
export async function sendPendingSaves(): Promise<boolean> {
  let isOffline = false;
  await runExclusively('saves', async () => {
    for (const pendingSave of sendableSaves()) {
      await runExclusively(pendingSave.key, async () => {
        // Another tab may have sent it meanwhile.
        if (isOffline || !isStillPending(pendingSave)) return;
        isOffline = (await sendSave(pendingSave))?.kind === 'network';
      });
    }
  });
  return sendableSaves().length > 0;
}

/** Resolves a conflict: copies the document, and saves these values in the copy. */
export async function saveAsCopy(pendingSave: PendingSave, title: string): Promise<void> {
  const { templateId, body, key } = pendingSave;
  if (!belongsToCurrentUser(pendingSave)) return;
  try {
    // The key of each step is derived from that of the save, so that a repetition creates no second copy.
    const copy = await saveDocument(templateId, { duplicateOf: body.savedDocumentId ?? null }, `${key}-copy`);
    const ownBody = { ...body, title, savedDocumentId: copy._id, version: copy.version };
    finishSave(pendingSave, await saveDocument(templateId, ownBody, `${key}-mine`));
  } catch (error) {
    // The document was deleted meanwhile, which needs another decision.
    if (error instanceof ApiError && error.status === 404) storeProblem(pendingSave, problemFrom(error));
    throw error;
  }
}

/** Undeletes a document that was deleted elsewhere, and saves it. */
export async function undeleteAndSave(pendingSave: PendingSave): Promise<void> {
  if (!belongsToCurrentUser(pendingSave)) return;
  if (pendingSave.body.savedDocumentId) await undeleteDocument(pendingSave.body.savedDocumentId);
  await sendSave(pendingSave);
}

/** Sends a refused save again. */
export async function retrySave(pendingSave: PendingSave): Promise<void> {
  await sendSave(pendingSave);
}
