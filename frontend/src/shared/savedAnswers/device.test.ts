import { beforeEach, describe, expect, it, vi } from 'vitest';

import { openTestTab } from '@/testing/browser';

const answer = { meaning: 'name', value: 'Amina' } as const;
/** Loads the modules as in a newly opened tab. */
async function openPage() {
  vi.resetModules();
  const session = await import('@/shared/session/session');
  const store = await import('@/shared/personal/store');
  const { handleOwnerChanges } = await import('@/shared/personal/ownerChanges');
  const { migrateLegacyKeys } = await import('@/shared/personal/legacyKeys');
  handleOwnerChanges();
  await store.openStore();
  await migrateLegacyKeys();
  const stored = () => store.readEntry('answers', 'known', 'device');
  return { ...(await import('./device')), ...session, stored };
}

describe('saved answers of a guest in this browser', () => {
  beforeEach(() => {
    openTestTab();
  });

  it('are empty until the guest switches saving on, and after it is switched off', async () => {
    const {
      addDeviceAnswers,
      deviceAnswers,
      deleteDeviceAnswers,
      disableDeviceAnswers,
      enableDeviceAnswers,
      stored,
    } = await openPage();
    addDeviceAnswers([answer]);
    expect([deviceAnswers.get(), stored()]).toEqual([{ on: false, answers: [] }, null]);
    enableDeviceAnswers();
    addDeviceAnswers([answer, { meaning: 'tel', value: '1' }]);
    expect(deviceAnswers.get().answers.map(({ value }) => value)).toEqual(['Amina', '1']);
    deleteDeviceAnswers(({ value }) => value === '1');
    expect(stored()).toEqual({
      on: true,
      answers: [{ meaning: 'name', value: 'Amina', parties: [] }],
    });
    disableDeviceAnswers();
    expect([deviceAnswers.get(), stored()]).toEqual([{ on: false, answers: [] }, null]);
  });

  it('are added to those that another tab has stored', async () => {
    const { addDeviceAnswers, deviceAnswers, enableDeviceAnswers } = await openPage();
    enableDeviceAnswers();
    const other = await openPage();
    other.enableDeviceAnswers();
    other.addDeviceAnswers([{ meaning: 'name', value: 'Another', party: 'tenant' }]);
    await vi.waitFor(() => expect(deviceAnswers.get().answers).toHaveLength(1));
    addDeviceAnswers([answer]);
    expect(deviceAnswers.get().answers.map(({ value }) => value)).toEqual(['Amina', 'Another']);
    await vi.waitFor(() => expect(other.deviceAnswers.get().answers).toHaveLength(2));
  });

  it('are deleted by a logout, and kept by a reload', async () => {
    const { addDeviceAnswers, deviceAnswers, enableDeviceAnswers, logOut, stored } = await openPage();
    enableDeviceAnswers();
    addDeviceAnswers([answer]);
    await vi.waitFor(async () => expect((await openPage()).deviceAnswers.get().answers).toHaveLength(1));
    logOut();
    expect([deviceAnswers.get(), stored()]).toEqual([{ on: false, answers: [] }, null]);
  });

  it.each(['null', '[]', '{"on":1}', '{"on":true,"answers":[{"meaning":1}]}', '{"on":true,"answers":{}}'])(
    'ignore invalid stored data: %s',
    async (text) => {
      window.localStorage.setItem('knownAnswers', text);
      const { addDeviceAnswers, deviceAnswers } = await openPage();
      addDeviceAnswers([]);
      expect(deviceAnswers.get().answers).toEqual([]);
    },
  );
});
