// The list of files that become templates together: it checks them, two at a time, and publishes them one by one.
import type { Diagnostic, TemplateProgram } from '@/api/types';
import type { FieldSettings } from '@/shared/fields/fieldSettings';
import { createStore, type Store } from '@/shared/store';

import type { OverridesByField } from '../fieldSettings';
import { createAttemptKeys, fileIdentity } from '../templateCalls';
import type { TemplateDraft } from '../templateDraft';
import { fileProblem, titleFromFileName, titleProblem, type FileProblem } from '../templateProblems';

/** The maximum number of unpublished files in the list. */
export const MAX_FILES = 50;
/** The number of files that are checked at the same time. */
const MAX_CHECKS = 2;

/** The settings of a template that all files of the list share, unless a file has its own. */
export type SharedSettings = Pick<TemplateDraft, 'categories' | 'keywords' | 'country'>;

/** The result of the check of a file. */
export interface CheckedFile {
  settings: FieldSettings[];
  /** The problems that prevent publishing. */
  errors: Diagnostic[];
  language: string | null;
  /** The text of the first heading; null if there is none. */
  heading: string | null;
  /** The other program for which the file was written; null if there is none. */
  program: TemplateProgram | null;
}

export type FileState =
  | { step: 'waiting' }
  | { step: 'checking' }
  /** The file cannot be a template. It was not sent. */
  | { step: 'refused'; problem: FileProblem }
  /** The content is that of an earlier file in the list. */
  | { step: 'duplicate'; original: string }
  | { step: 'checkFailed'; error: unknown }
  | { step: 'checked' }
  | { step: 'publishing' }
  | { step: 'published'; id: string }
  | { step: 'publishFailed'; error: unknown };

export interface QueuedFile {
  id: string;
  file: File;
  title: string;
  /** The code of the language: chosen by the admin or detected. */
  language: string | null;
  /** The overrides of field settings that the admin has entered in the form; null if there are none. */
  overrides: OverridesByField | null;
  /** The settings of this file alone; null if it has the shared ones. */
  ownSettings: SharedSettings | null;
  state: FileState;
  /** The result of the last check; null before it. */
  checked: CheckedFile | null;
}

export interface QueueState {
  files: readonly QueuedFile[];
  /** The progress of the files that are being published; null if none are. */
  progress: { done: number; total: number } | null;
}

/** The calls that the list needs. */
export interface QueueCalls {
  check: (file: File, title: string, signal: AbortSignal) => Promise<CheckedFile>;
  /** Publishes a file and returns the id of the template. */
  publish: (file: QueuedFile, settings: SharedSettings, idempotencyKey: string) => Promise<string>;
  /** Returns a text that is the same for files with the same content. */
  digest: (file: File) => Promise<string>;
}

/** The reason why a checked file must be opened before it can be published. */
export type FileObstacle = 'errors' | 'program' | 'noFields';

export function obstacleOf({ errors, program, settings }: CheckedFile): FileObstacle | null {
  if (program) return 'program';
  if (errors.length > 0) return 'errors';
  return settings.length === 0 ? 'noFields' : null;
}

/** Returns true if the file can be published now. */
export function isReady({ state, checked, title }: QueuedFile): boolean {
  if (state.step !== 'checked' && state.step !== 'publishFailed') return false;
  return checked !== null && obstacleOf(checked) === null && titleProblem(title).title === undefined;
}

/** Returns true if leaving the page would lose a file that can still be published. */
export function isUnpublished({ state: { step } }: QueuedFile): boolean {
  return step !== 'published' && step !== 'refused' && step !== 'duplicate';
}

export function isBeingChecked({ state: { step } }: QueuedFile): boolean {
  return step === 'waiting' || step === 'checking';
}

/** The changes that an admin makes in the form of one file. */
export type FileChanges = Partial<
  Pick<QueuedFile, 'file' | 'title' | 'language' | 'overrides' | 'ownSettings'>
>;

export interface FileQueue extends Pick<Store<QueueState>, 'get' | 'subscribe'> {
  /** Adds files and checks them. Returns false, and adds none, if the list would have too many. */
  add: (files: readonly File[]) => boolean;
  /** Removes a file. The returned function adds it again. */
  remove: (id: string) => () => void;
  /** Changes a file. Another content is checked again. */
  change: (id: string, changes: FileChanges) => void;
  /** Checks a file again after its check has failed. */
  retryCheck: (id: string) => void;
  /** Publishes the files that are ready, or those of them with these ids. Runs once at a time. */
  publish: (settings: SharedSettings, ids?: readonly string[]) => Promise<void>;
  /** Marks a file that was published elsewhere. */
  markPublished: (id: string, templateId: string) => void;
  start: () => void;
  /** Stops the checks, and the publication after the current file. */
  stop: () => void;
}

/** Creates an empty list of files. */
export function createFileQueue(calls: QueueCalls): FileQueue {
  const store = createStore<QueueState>({ files: [], progress: null });
  const digests = new WeakMap<File, Promise<string>>();
  const attemptKeys = new Map<string, (content: unknown) => string>();
  const running = new Map<string, AbortController>();
  let isStopped = false;

  const find = (id: string) => store.get().files.find((one) => one.id === id);
  const patch = (id: string, changes: Partial<QueuedFile>) =>
    store.set({
      ...store.get(),
      files: store.get().files.map((one) => (one.id === id ? { ...one, ...changes } : one)),
    });
  const digestOf = (file: File) => {
    const digest = digests.get(file) ?? calls.digest(file);
    digests.set(file, digest);
    return digest;
  };

  /** Returns the first earlier file with the same content. */
  const findOriginal = async ({ id, file }: QueuedFile): Promise<QueuedFile | undefined> => {
    const { files } = store.get();
    const earlier = files
      .slice(
        0,
        files.findIndex((one) => one.id === id),
      )
      .filter(({ state }) => state.step !== 'refused' && state.step !== 'duplicate');
    const own = await digestOf(file);
    for (const one of earlier) {
      // A file that cannot be read is no duplicate. Its own check reports it.
      if ((await digestOf(one.file).catch(() => null)) === own && find(one.id)) return one;
    }
    return undefined;
  };

  const check = async (queued: QueuedFile, signal: AbortSignal): Promise<Partial<QueuedFile>> => {
    const original = await findOriginal(queued);
    if (original) return { state: { step: 'duplicate', original: original.id } };
    const checked = await calls.check(queued.file, queued.title, signal);
    return { state: { step: 'checked' }, checked };
  };

  const runCheck = async (queued: QueuedFile) => {
    const { id, file } = queued;
    const controller = new AbortController();
    running.set(id, controller);
    patch(id, { state: { step: 'checking' } });
    let result: Partial<QueuedFile>;
    try {
      result = await check(queued, controller.signal);
    } catch (error) {
      // The next attempt reads the file again.
      digests.delete(file);
      result = { state: { step: 'checkFailed', error } };
    }
    running.delete(id);
    const now = find(id);
    if (now?.file === file && now.state.step === 'checking') {
      // A language that the admin has chosen stays.
      const language = now.language ?? result.checked?.language ?? null;
      const title = titleAfterCheck(now, result.checked?.heading ?? null);
      patch(id, controller.signal.aborted ? { state: { step: 'waiting' } } : { ...result, language, title });
    }
    runChecks();
  };

  const runChecks = () => {
    for (const queued of store.get().files) {
      if (isStopped || running.size >= MAX_CHECKS) return;
      if (queued.state.step === 'waiting' && !running.has(queued.id)) void runCheck(queued);
    }
  };

  const append = (files: readonly QueuedFile[]) => {
    store.set({ ...store.get(), files: [...store.get().files, ...files] });
    runChecks();
  };

  /** Checks the duplicates of a file that is gone. */
  const releaseDuplicates = (id: string) => {
    for (const { id: other, state } of store.get().files)
      if (state.step === 'duplicate' && state.original === id) patch(other, { state: { step: 'waiting' } });
    runChecks();
  };

  const publishOne = async (queued: QueuedFile, settings: SharedSettings) => {
    const { id, file, title, language, overrides, ownSettings } = queued;
    const attemptKey = attemptKeys.get(id) ?? createAttemptKeys();
    attemptKeys.set(id, attemptKey);
    const chosen = ownSettings ?? settings;
    patch(id, { state: { step: 'publishing' } });
    try {
      const key = attemptKey([title.trim(), language, overrides, chosen, fileIdentity(file)]);
      patch(id, { state: { step: 'published', id: await calls.publish(queued, chosen, key) } });
    } catch (error) {
      patch(id, { state: { step: 'publishFailed', error } });
    }
  };

  return {
    get: store.get,
    subscribe: store.subscribe,
    add: (files) => {
      if (store.get().files.filter(isUnpublished).length + files.length > MAX_FILES) return false;
      append(files.map(newFile));
      return true;
    },
    remove: (id) => {
      const removed = find(id);
      running.get(id)?.abort();
      store.set({ ...store.get(), files: store.get().files.filter((one) => one.id !== id) });
      releaseDuplicates(id);
      return () => {
        if (removed && !find(id)) append([isFinal(removed) ? removed : rechecked(removed)]);
      };
    },
    change: (id, changes) => {
      const current = find(id);
      if (!current) return;
      const hasNewContent = changes.file !== undefined && changes.file !== current.file;
      patch(id, { ...changes, ...(hasNewContent && { state: { step: 'waiting' }, checked: null }) });
      if (!hasNewContent) return;
      running.get(id)?.abort();
      releaseDuplicates(id);
    },
    retryCheck: (id) => {
      if (find(id)?.state.step !== 'checkFailed') return;
      patch(id, { state: { step: 'waiting' } });
      runChecks();
    },
    publish: async (settings, ids) => {
      if (store.get().progress) return;
      const wanted = store.get().files.filter((one) => isReady(one) && (ids?.includes(one.id) ?? true));
      for (const [done, { id }] of wanted.entries()) {
        store.set({ ...store.get(), progress: { done, total: wanted.length } });
        // The file may have been changed or removed meanwhile.
        const queued = find(id);
        if (queued && isReady(queued) && !isStopped) await publishOne(queued, settings);
      }
      store.set({ ...store.get(), progress: null });
    },
    markPublished: (id, templateId) => patch(id, { state: { step: 'published', id: templateId } }),
    start: () => {
      isStopped = false;
      runChecks();
    },
    stop: () => {
      isStopped = true;
      running.forEach((controller) => controller.abort());
    },
  };
}

function newFile(file: File): QueuedFile {
  const problem = fileProblem(file);
  return {
    id: crypto.randomUUID(),
    file,
    title: titleFromFileName(file.name),
    language: null,
    overrides: null,
    ownSettings: null,
    state: problem ? { step: 'refused', problem } : { step: 'waiting' },
    checked: null,
  };
}

/** Returns the heading of a checked file as its title, unless the title was edited or the heading does not fit. */
function titleAfterCheck({ file, title }: QueuedFile, heading: string | null): string {
  const isEdited = title !== titleFromFileName(file.name);
  const fits = heading !== null && !heading.includes('{{') && titleProblem(heading).title === undefined;
  return isEdited || !fits ? title : heading;
}

/** Returns true if another check would not change the state. */
function isFinal({ state }: QueuedFile): boolean {
  return state.step === 'refused' || state.step === 'published';
}

/** Returns the file as it is before its check. */
function rechecked(queued: QueuedFile): QueuedFile {
  return { ...queued, state: { step: 'waiting' }, checked: null };
}
