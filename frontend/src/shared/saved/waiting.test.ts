import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { ErrorCode, SavedDocument, User } from '@/api/types';
import { openTab } from '@/testing/browser';

const amal = { _id: 'a', role: 'user', userName: 'Amal', email: 'amal@example.org' } as User;
const nour = { ...amal, _id: 'n', userName: 'Nour' };
const saved = { _id: 's1', version: 1 } as SavedDocument;

const save = vi.fn();
const restoreSaved = vi.fn();
vi.mock('./calls', () => ({ save, restoreSaved }));

/** Loads the modules as in a newly opened tab: they restore their state from storage. */
async function opened() {
  vi.resetModules();
  const [waiting, session, drafts, { ApiError }, store, { userOwner }] = await Promise.all([
    import('./waiting'),
    import('@/shared/session/session'),
    import('@/shared/drafts'),
    import('@/api/error'),
    import('@/shared/personal/store'),
    import('@/shared/personal/owner'),
  ]);
  const { followIdentity } = await import('@/shared/personal/identity');
  followIdentity();
  await store.openStore();
  /** Returns the unfinished saves of a user. */
  const kept = (userId = 'a') => store.list('save', userOwner(userId)).map(({ value }) => value);
  const refused = (status: number, code: ErrorCode) => new ApiError(status, { code, message: code });
  return { ...waiting, ...session, ...drafts, kept, refused, lost: ApiError.network() };
}

const order = (key: string, userId = 'a') => ({
  key,
  userId,
  templateId: 't1',
  title: 'Lease',
  body: { fieldsAndValues: [{ name: 'Amal' }], savedDocumentId: 's1', version: 1 },
  draft: { key: 'saved:s1', filling: 'f1' },
});

beforeEach(() => {
  openTab();
  save.mockReset();
  restoreSaved.mockReset();
});

describe('a save', () => {
  it('is written down before it is sent, and forgotten once it is answered', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    void here.writeDraft('saved:s1', { ...here.EMPTY_DRAFT, filling: 'f1' });
    const told = vi.fn();
    here.whenSaved(told);
    save.mockImplementation(() => {
      expect(here.kept()).toMatchObject([{ key: 'k1', trouble: null }]);
      return Promise.resolve(saved);
    });
    expect(await here.place(order('k1'))).toBeNull();
    expect(here.kept()).toEqual([]);
    expect(here.readDraft('saved:s1')).toBeNull();
    expect(told).toHaveBeenCalledWith(expect.objectContaining({ key: 'k1' }), saved);
  });

  it('leaves a draft that was entered on since', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    void here.writeDraft('saved:s1', { ...here.EMPTY_DRAFT, values: { name: 'newer' } });
    save.mockResolvedValue(saved);
    await here.place(order('k1'));
    expect(here.readDraft('saved:s1')?.values).toEqual({ name: 'newer' });
  });

  it('of an edit that was entered on since makes it one of the new version', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    const edit = { version: 1, title: 'Lease', templateVersion: 1 };
    void here.writeDraft('saved:s1', { ...here.EMPTY_DRAFT, values: { name: 'newer' }, edit });
    save.mockResolvedValue({ ...saved, version: 2 });
    await here.place(order('k1'));
    expect(here.readDraft('saved:s1')).toMatchObject({ values: { name: 'newer' }, edit: { version: 2 } });
  });

  it('that met no network is sent under its key by the tab that is opened next', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    save.mockRejectedValueOnce(here.lost);
    expect(await here.place(order('k1'))).toEqual({ kind: 'network' });
    const next = await opened();
    save.mockResolvedValue(saved);
    expect(await next.sendWaiting()).toBe(false);
    expect(save.mock.calls.map(([, , key]) => key as string)).toEqual(['k1', 'k1']);
    expect(next.kept()).toEqual([]);
  });

  it.each([429, 502, 503, 504])('waits where the server has no time for it (%i)', async (status) => {
    const here = await opened();
    here.startSession('t', amal, true);
    save.mockRejectedValue(here.refused(status, 'unavailable'));
    expect(await here.place(order('k1'))).toEqual({ kind: 'network' });
    expect(await here.sendWaiting()).toBe(true);
  });

  it('that is refused is not sent again by itself', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    save.mockRejectedValue(here.refused(409, 'document_changed'));
    expect(await here.place(order('k1'))).toMatchObject({ kind: 'refused', code: 'document_changed' });
    expect(await here.sendWaiting()).toBe(false);
    expect(save).toHaveBeenCalledTimes(1);
    expect(here.kept()).toHaveLength(1);
  });

  it('waits for a login where the session has ended, and does not ask with the refused token again', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    save.mockRejectedValueOnce(here.refused(401, 'session_ended'));
    expect(await here.place(order('k1'))).toEqual({ kind: 'login' });
    await here.sendWaiting();
    expect(save).toHaveBeenCalledTimes(1);
    here.startSession('t2', amal, true);
    save.mockResolvedValue(saved);
    await here.sendWaiting();
    expect(here.kept()).toEqual([]);
  });

  it('is never sent in another user’s session, waits for its own user, and goes with their logout', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    save.mockRejectedValue(here.lost);
    await here.place(order('k1'));
    here.startSession('n', nour, true);
    save.mockClear();
    expect(await here.sendWaiting()).toBe(false);
    await here.sendAgain({ ...order('k1'), trouble: null });
    expect(save).not.toHaveBeenCalled();
    here.logOut();
    expect(here.kept()).toHaveLength(1);
    here.startSession('t2', amal, true);
    here.logOut();
    expect(here.kept()).toEqual([]);
  });

  it('that the browser cannot keep either is sent while the page is open', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError');
    });
    save.mockRejectedValueOnce(here.lost);
    expect(await here.place(order('k1'))).toEqual({ kind: 'network' });
    // Time for the second failure.
    await new Promise((done) => setTimeout(done, 20));
    expect(here.kept()).toMatchObject([{ key: 'k1', trouble: { kind: 'network' } }]);
    save.mockResolvedValue(saved);
    expect(await here.sendWaiting()).toBe(false);
    expect(here.kept()).toEqual([]);
    vi.restoreAllMocks();
  });

  it('is not sent twice at once', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    let answer: (document: SavedDocument) => void = () => undefined;
    save.mockImplementation(() => new Promise((done) => (answer = done)));
    const placed = here.place(order('k1'));
    await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(1));
    await here.sendWaiting();
    answer(saved);
    await placed;
    expect(save).toHaveBeenCalledTimes(1);
  });

  it('that waits is another tab’s too', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    const other = await opened();
    save.mockRejectedValueOnce(other.lost);
    await other.place(order('k2'));
    await vi.waitFor(() => expect(here.kept()).toHaveLength(1));
    save.mockResolvedValue(saved);
    await here.sendWaiting();
    expect(save).toHaveBeenLastCalledWith('t1', order('k2').body, 'k2');
    await vi.waitFor(() => expect(other.kept()).toEqual([]));
  });
});

describe('a save of a document that was changed elsewhere', () => {
  it('is kept beside it: a copy, then these values in it, both under names of their own', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    save.mockRejectedValueOnce(here.refused(409, 'document_changed'));
    await here.place(order('k1'));
    save.mockResolvedValueOnce({ _id: 'c1', version: 1 }).mockResolvedValueOnce({ _id: 'c1', version: 2 });
    await here.keepAsCopy({ ...order('k1'), trouble: null }, 'Lease (copy)');
    expect(save.mock.calls.slice(1)).toEqual([
      ['t1', { duplicateOf: 's1' }, 'k1-copy'],
      ['t1', { ...order('k1').body, title: 'Lease (copy)', savedDocumentId: 'c1', version: 1 }, 'k1-mine'],
    ]);
    expect(here.kept()).toEqual([]);
  });

  it('and deleted since wants another decision', async () => {
    const here = await opened();
    here.startSession('t', amal, true);
    save.mockRejectedValueOnce(here.refused(409, 'document_changed'));
    await here.place(order('k1'));
    save.mockRejectedValueOnce(here.refused(404, 'document_not_found'));
    await expect(here.keepAsCopy({ ...order('k1'), trouble: null }, 'Lease (copy)')).rejects.toThrow();
    expect(here.kept()).toMatchObject([{ trouble: { kind: 'refused', code: 'document_not_found' } }]);
  });
});
