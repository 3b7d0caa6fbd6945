import type { Answer, Meaning, Party } from '@/api/types';
import { whenLoggedOut } from '@/shared/session/session';
import { readJson, remove, writeJson } from '@/shared/storage';
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

function restore(): Device {
  const stored = readJson('knownAnswers') as { on?: unknown; answers?: unknown } | null;
  if (stored?.on !== true || !Array.isArray(stored.answers)) return NOTHING;
  return {
    on: true,
    answers: stored.answers.filter(isKnown).map(({ meaning, value, parties }) => ({
      meaning: meaning as Meaning,
      value,
      parties: parties.filter((party): party is Party => typeof party === 'string'),
    })),
  };
}

export const device = createStore<Device>(restore());

/** Changes the stored state, which another tab may have changed before. */
function change(make: (now: Device) => Device): void {
  const next = make(restore());
  if (next.on) writeJson('knownAnswers', next);
  else remove('knownAnswers');
  device.set(next);
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

// Follows changes by another tab or by a logout.
const follow = () => device.set(restore());
whenLoggedOut(follow);
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'knownAnswers') follow();
  });
