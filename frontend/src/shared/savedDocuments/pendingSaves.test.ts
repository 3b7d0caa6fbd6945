import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { ErrorCode, SavedDocument, User } from '@/api/types';
import { openTestTab } from '@/testing/browser';

const amal = { _id: 'a', role: 'user', userName: 'Amal', email: 'amal@example.org' } as User;
const nour = { ...amal, _id: 'n', userName: 'Nour' };
const saved = { _id: 's1', version: 1 } as SavedDocument;

const saveDocument = vi.fn();
const undeleteDocument = vi.fn();
vi.mock('./calls', () => ({ saveDocument, undeleteDocument }));

/** Loads the modules as in a newly opened tab: they restore their state from storage. */
async function openTab() {
  vi.resetModules();
  const [waiting, session, drafts, { ApiError }, store, { userOwner }] = await Promise.all([
    import('./pendingSaves'),
    import('@/shared/session/session'),
    import('@/shared/drafts'),
    import('@/api/error'),
    import('@/shared/personal/store'),
    import('@/shared/personal/owner'),
  ]);
  const { handleOwnerChanges } = await import('@/shared/personal/ownerChanges');
  handleOwnerChanges();
  await store.openStore();
  /** Returns the unfinished saves of a user. */
  const storedSaves = (userId = 'a') =>
    store.listEntries('save', userOwner(userId)).map(({ value }) => value);
  const apiError = (status: number, code: ErrorCode) => new ApiError(status, { code, message: code });
  return { ...waiting, ...session, ...drafts, storedSaves, apiError, networkError: ApiError.network() };
}

const createSave = (key: string, userId = 'a') => ({
  key,
  userId,
  templateId: 't1',
  title: 'Lease',
  body: { fieldsAndValues: [{ name: 'Amal' }], savedDocumentId: 's1', version: 1 },
  draft: { key: 'saved:s1', filling: 'f1' },
});

beforeEach(() => {
  openTestTab();
  saveDocument.mockReset();
  undeleteDocument.mockReset();
});

describe('a save', () => {
  it('is stored before it is sent, and removed after the response', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    void tab.writeDraft('saved:s1', { ...tab.EMPTY_DRAFT, filling: 'f1' });
    const listener = vi.fn();
    tab.onDocumentSaved(listener);
    saveDocument.mockImplementation(() => {
      expect(tab.storedSaves()).toMatchObject([{ key: 'k1', trouble: null }]);
      return Promise.resolve(saved);
    });
    expect(await tab.submitSave(createSave('k1'))).toBeNull();
    expect(tab.storedSaves()).toEqual([]);
    expect(tab.readDraft('saved:s1')).toBeNull();
    expect(listener).toHaveBeenCalledWith(expect.objectContaining({ key: 'k1' }), saved);
  });

  it('keeps a draft that was changed since', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    void tab.writeDraft('saved:s1', { ...tab.EMPTY_DRAFT, values: { name: 'newer' } });
    saveDocument.mockResolvedValue(saved);
    await tab.submitSave(createSave('k1'));
    expect(tab.readDraft('saved:s1')?.values).toEqual({ name: 'newer' });
  });

  it('moves an edit that was changed since to the new version', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    const edit = { version: 1, title: 'Lease', templateVersion: 1 };
    void tab.writeDraft('saved:s1', { ...tab.EMPTY_DRAFT, values: { name: 'newer' }, edit });
    saveDocument.mockResolvedValue({ ...saved, version: 2 });
    await tab.submitSave(createSave('k1'));
    expect(tab.readDraft('saved:s1')).toMatchObject({ values: { name: 'newer' }, edit: { version: 2 } });
  });

  it('without a network is sent with the same key by the next tab', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    saveDocument.mockRejectedValueOnce(tab.networkError);
    expect(await tab.submitSave(createSave('k1'))).toEqual({ kind: 'network' });
    const next = await openTab();
    saveDocument.mockResolvedValue(saved);
    expect(await next.sendPendingSaves()).toBe(false);
    expect(saveDocument.mock.calls.map(([, , key]) => key as string)).toEqual(['k1', 'k1']);
    expect(next.storedSaves()).toEqual([]);
  });

  it.each([429, 502, 503, 504])('stays pending if the server is busy (%i)', async (status) => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    saveDocument.mockRejectedValue(tab.apiError(status, 'unavailable'));
    expect(await tab.submitSave(createSave('k1'))).toEqual({ kind: 'network' });
    expect(await tab.sendPendingSaves()).toBe(true);
  });

  it('that is refused is not sent again automatically', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    saveDocument.mockRejectedValue(tab.apiError(409, 'document_changed'));
    expect(await tab.submitSave(createSave('k1'))).toMatchObject({
      kind: 'refused',
      code: 'document_changed',
    });
    expect(await tab.sendPendingSaves()).toBe(false);
    expect(saveDocument).toHaveBeenCalledTimes(1);
    expect(tab.storedSaves()).toHaveLength(1);
  });

  it('waits for a login after the session has ended, and does not send the refused token again', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    saveDocument.mockRejectedValueOnce(tab.apiError(401, 'session_ended'));
    expect(await tab.submitSave(createSave('k1'))).toEqual({ kind: 'login' });
    await tab.sendPendingSaves();
    expect(saveDocument).toHaveBeenCalledTimes(1);
    tab.startSession('t2', amal, true);
    saveDocument.mockResolvedValue(saved);
    await tab.sendPendingSaves();
    expect(tab.storedSaves()).toEqual([]);
  });

  it('is never sent in another user’s session, and is deleted by its own user’s logout', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    saveDocument.mockRejectedValue(tab.networkError);
    await tab.submitSave(createSave('k1'));
    tab.startSession('n', nour, true);
    saveDocument.mockClear();
    expect(await tab.sendPendingSaves()).toBe(false);
    await tab.retrySave({ ...createSave('k1'), trouble: null });
    expect(saveDocument).not.toHaveBeenCalled();
    tab.logOut();
    expect(tab.storedSaves()).toHaveLength(1);
    tab.startSession('t2', amal, true);
    tab.logOut();
    expect(tab.storedSaves()).toEqual([]);
  });

  it('that the browser cannot store is sent while the page is open', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError');
    });
    saveDocument.mockRejectedValueOnce(tab.networkError);
    expect(await tab.submitSave(createSave('k1'))).toEqual({ kind: 'network' });
    // Time for the second failure.
    await new Promise((done) => setTimeout(done, 20));
    expect(tab.storedSaves()).toMatchObject([{ key: 'k1', trouble: { kind: 'network' } }]);
    saveDocument.mockResolvedValue(saved);
    expect(await tab.sendPendingSaves()).toBe(false);
    expect(tab.storedSaves()).toEqual([]);
    vi.restoreAllMocks();
  });

  it('is not sent twice at the same time', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    let answer: (document: SavedDocument) => void = () => undefined;
    saveDocument.mockImplementation(() => new Promise((done) => (answer = done)));
    const placed = tab.submitSave(createSave('k1'));
    await vi.waitFor(() => expect(saveDocument).toHaveBeenCalledTimes(1));
    await tab.sendPendingSaves();
    answer(saved);
    await placed;
    expect(saveDocument).toHaveBeenCalledTimes(1);
  });

  it('that is pending in another tab is sent here too', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    const other = await openTab();
    saveDocument.mockRejectedValueOnce(other.networkError);
    await other.submitSave(createSave('k2'));
    await vi.waitFor(() => expect(tab.storedSaves()).toHaveLength(1));
    saveDocument.mockResolvedValue(saved);
    await tab.sendPendingSaves();
    expect(saveDocument).toHaveBeenLastCalledWith('t1', createSave('k2').body, 'k2');
    await vi.waitFor(() => expect(other.storedSaves()).toEqual([]));
  });
});

describe('a save of a document that was changed elsewhere', () => {
  it('can be saved as a copy: first a copy of the document, then these values, each with its own key', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    saveDocument.mockRejectedValueOnce(tab.apiError(409, 'document_changed'));
    await tab.submitSave(createSave('k1'));
    saveDocument
      .mockResolvedValueOnce({ _id: 'c1', version: 1 })
      .mockResolvedValueOnce({ _id: 'c1', version: 2 });
    await tab.saveAsCopy({ ...createSave('k1'), trouble: null }, 'Lease (copy)');
    expect(saveDocument.mock.calls.slice(1)).toEqual([
      ['t1', { duplicateOf: 's1' }, 'k1-copy'],
      [
        't1',
        { ...createSave('k1').body, title: 'Lease (copy)', savedDocumentId: 'c1', version: 1 },
        'k1-mine',
      ],
    ]);
    expect(tab.storedSaves()).toEqual([]);
  });

  it('needs another decision if the document was deleted meanwhile', async () => {
    const tab = await openTab();
    tab.startSession('t', amal, true);
    saveDocument.mockRejectedValueOnce(tab.apiError(409, 'document_changed'));
    await tab.submitSave(createSave('k1'));
    saveDocument.mockRejectedValueOnce(tab.apiError(404, 'document_not_found'));
    await expect(tab.saveAsCopy({ ...createSave('k1'), trouble: null }, 'Lease (copy)')).rejects.toThrow();
    expect(tab.storedSaves()).toMatchObject([{ trouble: { kind: 'refused', code: 'document_not_found' } }]);
  });
});
