import type { AnswerInput, Meaning, Party } from '@/api/types';
import { changeEntry, readEntry, onEntryChange } from '@/shared/personal/store';
import { createStore } from '@/shared/store';

import { addAnswers, type SavedAnswer } from './answers';

/**
 * The saved answers of a guest in this browser. Saving is off until the guest switches it on, and a logout erases
 * everything.
 */
export interface DeviceAnswers {
  on: boolean;
  answers: SavedAnswer[];
}

const NO_DEVICE_ANSWERS: DeviceAnswers = { on: false, answers: [] };

function isSavedAnswer(stored: unknown): stored is SavedAnswer {
  if (typeof stored !== 'object' || stored === null) return false;
  const { meaning, value, parties } = stored as Record<string, unknown>;
  return typeof meaning === 'string' && typeof value === 'string' && Array.isArray(parties);
}

function parseDeviceAnswers(stored: unknown): DeviceAnswers {
  const { on, answers } = (stored ?? {}) as { on?: unknown; answers?: unknown };
  if (on !== true || !Array.isArray(answers)) return NO_DEVICE_ANSWERS;
  return {
    on: true,
    answers: answers.filter(isSavedAnswer).map(({ meaning, value, parties }) => ({
      meaning: meaning as Meaning,
      value,
      parties: parties.filter((party): party is Party => typeof party === 'string'),
    })),
  };
}

export const deviceAnswers = createStore<DeviceAnswers>(NO_DEVICE_ANSWERS);

/** Changes the stored state, which another tab may have changed before. */
function changeDeviceAnswers(update: (now: DeviceAnswers) => DeviceAnswers): void {
  void changeEntry(
    'answers',
    'known',
    (stored) => {
      const next = update(parseDeviceAnswers(stored));
      return next.on ? next : null;
    },
    'device',
  );
}

export function enableDeviceAnswers(): void {
  changeDeviceAnswers(({ answers }) => ({ on: true, answers }));
}

/** Switches saving off, and deletes all answers. */
export function disableDeviceAnswers(): void {
  changeDeviceAnswers(() => NO_DEVICE_ANSWERS);
}

export function addDeviceAnswers(answers: readonly AnswerInput[]): void {
  changeDeviceAnswers((now) => (now.on ? { on: true, answers: addAnswers(now.answers, answers) } : now));
}

export function deleteDeviceAnswers(isDeleted: (answer: SavedAnswer) => boolean): void {
  changeDeviceAnswers((now) => ({ ...now, answers: now.answers.filter((answer) => !isDeleted(answer)) }));
}

/** Reads the stored answers, which this tab, another one or a logout may have changed. */
const reloadDeviceAnswers = () =>
  deviceAnswers.set(parseDeviceAnswers(readEntry('answers', 'known', 'device')));
reloadDeviceAnswers();
onEntryChange(({ kind }) => {
  if (kind === 'answers') reloadDeviceAnswers();
});
