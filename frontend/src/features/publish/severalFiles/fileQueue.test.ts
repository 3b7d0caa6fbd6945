import { describe, expect, it, vi } from 'vitest';

import type { Diagnostic } from '@/api/types';

import {
  createFileQueue,
  isReady,
  isUnpublished,
  MAX_FILES,
  type CheckedFile,
  type QueueCalls,
  type SharedSettings,
} from './fileQueue';

const SETTINGS: SharedSettings = { categories: 'Rent', keywords: '', country: null };
const VALID: CheckedFile = {
  settings: [{ field: 'name', kind: 'text' }],
  errors: [],
  language: 'fr',
  heading: null,
  program: null,
};
const docx = (name: string, content = name) => new File([content], `${name}.docx`);

/** A promise that the test settles. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, resolve, reject };
}

function createTestQueue(calls: Partial<QueueCalls> = {}) {
  const publish = vi.fn<QueueCalls['publish']>(({ title }) => Promise.resolve(`id of ${title}`));
  const queue = createFileQueue({
    check: () => Promise.resolve(VALID),
    digest: (file) => file.text(),
    publish,
    ...calls,
  });
  const steps = () => queue.get().files.map(({ state }) => state.step);
  const idOf = (name: string) => queue.get().files.find(({ file }) => file.name === `${name}.docx`)?.id ?? '';
  const untilChecked = () =>
    vi.waitFor(() => expect(steps().filter((step) => step === 'waiting' || step === 'checking')).toEqual([]));
  return { queue, publish, steps, idOf, untilChecked };
}

describe('the checks', () => {
  it('run two at a time, and take the title from the name and the language from the file', async () => {
    const checks: ReturnType<typeof deferred<CheckedFile>>[] = [];
    const { queue, steps } = createTestQueue({
      check: () => {
        const check = deferred<CheckedFile>();
        checks.push(check);
        return check.promise;
      },
    });
    queue.add([docx('lease_of_flat'), docx('b'), docx('c')]);
    await vi.waitFor(() => expect(checks).toHaveLength(2));
    expect(steps()).toEqual(['checking', 'checking', 'waiting']);
    checks[0]?.resolve(VALID);
    await vi.waitFor(() => expect(checks).toHaveLength(3));
    expect(steps()).toEqual(['checked', 'checking', 'checking']);
    expect(queue.get().files[0]).toMatchObject({ title: 'lease of flat', language: 'fr' });
  });

  it('take the title from the heading, unless the title was edited or the heading contains a field', async () => {
    const check = (file: File) =>
      Promise.resolve({ ...VALID, heading: file.name === 'c.docx' ? 'To {{name}}' : 'A lease' });
    const { queue, idOf, untilChecked } = createTestQueue({ check });
    queue.add([docx('a'), docx('b'), docx('c')]);
    queue.change(idOf('b'), { title: 'My title' });
    await untilChecked();
    expect(queue.get().files.map(({ title }) => title)).toEqual(['A lease', 'My title', 'c']);
  });

  it('are not made for other formats, empty files and repeated contents', async () => {
    const check = vi.fn<QueueCalls['check']>(() => Promise.resolve(VALID));
    const { queue, steps, untilChecked } = createTestQueue({ check });
    queue.add([
      docx('a', 'same'),
      new File(['x'], 'old.doc'),
      docx('empty', ''),
      docx('b', 'same'),
      docx('c'),
    ]);
    await untilChecked();
    expect(steps()).toEqual(['checked', 'refused', 'refused', 'duplicate', 'checked']);
    expect(queue.get().files.map(({ state }) => 'problem' in state && state.problem)).toEqual([
      false,
      'otherWord',
      'fileEmpty',
      false,
      false,
    ]);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('are made for a duplicate when its original is removed, which can be undone', async () => {
    const { queue, steps, idOf, untilChecked } = createTestQueue();
    queue.add([docx('a', 'same'), docx('b', 'same')]);
    await untilChecked();
    const undo = queue.remove(idOf('a'));
    await untilChecked();
    expect(steps()).toEqual(['checked']);
    undo();
    await untilChecked();
    expect(steps()).toEqual(['checked', 'duplicate']);
  });

  it('can be repeated after a failure, and are stopped with the page', async () => {
    const lost = deferred<CheckedFile>();
    const check = vi.fn<QueueCalls['check']>().mockReturnValueOnce(lost.promise).mockResolvedValue(VALID);
    const { queue, steps, idOf, untilChecked } = createTestQueue({ check });
    queue.add([docx('a')]);
    lost.reject(new Error('network'));
    await untilChecked();
    expect(steps()).toEqual(['checkFailed']);
    queue.stop();
    queue.retryCheck(idOf('a'));
    expect(steps()).toEqual(['waiting']);
    queue.start();
    await untilChecked();
    expect(steps()).toEqual(['checked']);
  });

  it('find errors, marks of other programs and missing fields, which are not ready', async () => {
    const error: Diagnostic = { code: 'empty_field', severity: 'error', message: '' };
    const results = [
      { ...VALID, errors: [error] },
      { ...VALID, program: 'carbone' as const },
      { ...VALID, settings: [] },
      VALID,
    ];
    const { queue, untilChecked } = createTestQueue({
      check: (file) => Promise.resolve(results[Number(file.name[0])] ?? VALID),
    });
    queue.add(['0', '1', '2', '3'].map((name) => docx(name)));
    await untilChecked();
    expect(queue.get().files.map(isReady)).toEqual([false, false, false, true]);
  });

  it('refuse more files than the limit, and add none of them', () => {
    const { queue } = createTestQueue({ digest: () => new Promise(() => undefined) });
    expect(queue.add(Array.from({ length: MAX_FILES }, (_, index) => docx(String(index))))).toBe(true);
    expect(queue.add([docx('more')])).toBe(false);
    expect(queue.get().files).toHaveLength(MAX_FILES);
  });
});

describe('the publication', () => {
  it('publishes what is ready one by one, and a failure does not stop it', async () => {
    let running = 0;
    const progress: unknown[] = [];
    const { queue, steps, idOf, untilChecked } = createTestQueue({
      publish: async ({ title }) => {
        expect((running += 1)).toBe(1);
        progress.push(queue.get().progress);
        await Promise.resolve();
        running -= 1;
        if (title === 'b') throw new Error('network');
        return title;
      },
    });
    queue.add(['a', 'b', 'c', 'd'].map((name) => docx(name)));
    await untilChecked();
    queue.change(idOf('d'), { title: ' ' });
    await queue.publish(SETTINGS);
    expect(steps()).toEqual(['published', 'publishFailed', 'published', 'checked']);
    expect(progress).toEqual([
      { done: 0, total: 3 },
      { done: 1, total: 3 },
      { done: 2, total: 3 },
    ]);
    expect(queue.get().progress).toBeNull();
    expect(queue.get().files.map(isUnpublished)).toEqual([false, true, false, true]);
  });

  it('repeats a failed file with its key, and a changed one with another', async () => {
    const keys: string[] = [];
    const { queue, steps, idOf, untilChecked } = createTestQueue({
      publish: (_, __, key) => {
        keys.push(key);
        return keys.length < 4 ? Promise.reject(new Error('network')) : Promise.resolve('id');
      },
    });
    queue.add([docx('a'), docx('b')]);
    await untilChecked();
    await queue.publish(SETTINGS);
    await queue.publish(SETTINGS, [idOf('a')]);
    expect(steps()).toEqual(['publishFailed', 'publishFailed']);
    queue.change(idOf('a'), { title: 'Another title' });
    await queue.publish(SETTINGS, [idOf('a')]);
    expect(steps()).toEqual(['published', 'publishFailed']);
    const [ofA, ofB, repeated, changed] = keys;
    expect(repeated).toBe(ofA);
    expect(new Set([ofA, ofB, changed]).size).toBe(3);
  });

  it('uses the settings of a file that has its own', async () => {
    const { queue, publish, idOf, untilChecked } = createTestQueue();
    queue.add([docx('a'), docx('b')]);
    await untilChecked();
    const ownSettings = { categories: 'Work', keywords: 'job', country: 'fr' };
    queue.change(idOf('b'), { ownSettings });
    await queue.publish(SETTINGS);
    expect(publish.mock.calls.map(([, settings]) => settings)).toEqual([SETTINGS, ownSettings]);
  });

  it('stops after the current file when the page is left', async () => {
    const { queue, steps, untilChecked } = createTestQueue({
      publish: () => {
        queue.stop();
        return Promise.resolve('id');
      },
    });
    queue.add([docx('a'), docx('b')]);
    await untilChecked();
    await queue.publish(SETTINGS);
    expect(steps()).toEqual(['published', 'checked']);
  });
});

it('checks another content of a file again', async () => {
  const { queue, steps, idOf, untilChecked } = createTestQueue();
  queue.add([docx('a', 'same'), docx('b', 'same')]);
  await untilChecked();
  queue.change(idOf('a'), { file: docx('a', 'marked') });
  await untilChecked();
  expect(steps()).toEqual(['checked', 'checked']);
});
