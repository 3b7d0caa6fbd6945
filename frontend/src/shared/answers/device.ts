import type { Answer, Meaning, Party } from '@/api/types';
import { change as changeEntry, read, whenChanged } from '@/shared/personal/store';
import { createStore } from '@/shared/store';

import { added, type Known } from './answers';

/**
 * The saved answers of a guest in this browser. Saving is off until the guest switches it on, and a logout erases
 * everything.
 */
export interface Device {
  on: boolean;
  answers: Known[];
}

const NOTHING: Device = { on: false, answers: [] };

function isKnown(stored: unknown): stored is Known {
  if (typeof stored !== 'object' || stored === null) return false;
  const { meaning, value, parties } = stored as Record<string, unknown>;
  return typeof meaning === 'string' && typeof value === 'string' && Array.isArray(parties);
}

function deviceOf(stored: unknown): Device {
  const { on, answers } = (stored ?? {}) as { on?: unknown; answers?: unknown };
  if (on !== true || !Array.isArray(answers)) return NOTHING;
  return {
    on: true,
    answers: answers.filter(isKnown).map(({ meaning, value, parties }) => ({
      meaning: meaning as Meaning,
      value,
      parties: parties.filter((party): party is Party => typeof party === 'string'),
    })),
  };
}

export const device = createStore<Device>(NOTHING);

/** Changes the stored state, which another tab may have changed before. */
function change(make: (now: Device) => Device): void {
  void changeEntry(
    'answers',
    'known',
    (stored) => {
      const next = make(deviceOf(stored));
      return next.on ? next : null;
    },
    'device',
  );
}

export function rememberOnDevice(): void {
  change(({ answers }) => ({ on: true, answers }));
}

/** Switches saving off, and erases all answers. */
export function forgetDevice(): void {
  change(() => NOTHING);
}

export function addToDevice(answers: readonly Answer[]): void {
  change((now) => (now.on ? { on: true, answers: added(now.answers, answers) } : now));
}

export function eraseFromDevice(which: (answer: Known) => boolean): void {
  change((now) => ({ ...now, answers: now.answers.filter((answer) => !which(answer)) }));
}

/** Follows the stored answers, which this tab, another one or a logout may change. */
const follow = () => device.set(deviceOf(read('answers', 'known', 'device')));
follow();
whenChanged(({ kind }) => {
  if (kind === 'answers') follow();
});
