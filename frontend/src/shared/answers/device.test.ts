import { beforeEach, describe, expect, it, vi } from 'vitest';

import { openTab } from '@/testing/browser';

const answer = { meaning: 'name', value: 'Amina' } as const;
/** Loads the modules as in a newly opened tab. */
async function opened() {
  vi.resetModules();
  const session = await import('@/shared/session/session');
  const store = await import('@/shared/personal/store');
  const { followIdentity } = await import('@/shared/personal/identity');
  const { moveOldKeys } = await import('@/shared/personal/oldKeys');
  followIdentity();
  await store.openStore();
  await moveOldKeys();
  const stored = () => store.read('answers', 'known', 'device');
  return { ...(await import('./device')), ...session, stored };
}

describe('what this browser remembers of a guest', () => {
  beforeEach(() => {
    openTab();
  });

  it('is nothing until he switches it on, and nothing once it is off', async () => {
    const { addToDevice, device, eraseFromDevice, forgetDevice, rememberOnDevice, stored } = await opened();
    addToDevice([answer]);
    expect([device.get(), stored()]).toEqual([{ on: false, answers: [] }, null]);
    rememberOnDevice();
    addToDevice([answer, { meaning: 'tel', value: '1' }]);
    expect(device.get().answers.map(({ value }) => value)).toEqual(['Amina', '1']);
    eraseFromDevice(({ value }) => value === '1');
    expect(stored()).toEqual({
      on: true,
      answers: [{ meaning: 'name', value: 'Amina', parties: [] }],
    });
    forgetDevice();
    expect([device.get(), stored()]).toEqual([{ on: false, answers: [] }, null]);
  });

  it('is added to what another tab has kept', async () => {
    const { addToDevice, device, rememberOnDevice } = await opened();
    rememberOnDevice();
    const other = await opened();
    other.rememberOnDevice();
    other.addToDevice([{ meaning: 'name', value: 'Another', party: 'tenant' }]);
    await vi.waitFor(() => expect(device.get().answers).toHaveLength(1));
    addToDevice([answer]);
    expect(device.get().answers.map(({ value }) => value)).toEqual(['Amina', 'Another']);
    await vi.waitFor(() => expect(other.device.get().answers).toHaveLength(2));
  });

  it('is forgotten by a logout, and is there again after a reload', async () => {
    const { addToDevice, device, rememberOnDevice, logOut, stored } = await opened();
    rememberOnDevice();
    addToDevice([answer]);
    await vi.waitFor(async () => expect((await opened()).device.get().answers).toHaveLength(1));
    logOut();
    expect([device.get(), stored()]).toEqual([{ on: false, answers: [] }, null]);
  });

  it.each(['null', '[]', '{"on":1}', '{"on":true,"answers":[{"meaning":1}]}', '{"on":true,"answers":{}}'])(
    'is not what anything else has written there: %s',
    async (text) => {
      window.localStorage.setItem('knownAnswers', text);
      const { addToDevice, device } = await opened();
      addToDevice([]);
      expect(device.get().answers).toEqual([]);
    },
  );
});
