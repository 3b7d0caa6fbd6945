import { whenIdentityChanges, whenLoggedOut, whenSessionStarts } from '@/shared/session/session';
import { readJson, remove, writeJson } from '@/shared/storage';

import type { Kind } from './entry';
import { currentOwner, guestOwner, userOwner, type Owner } from './owner';
import { eraseOwner, handOver, rebind, whenChanged } from './store';

/** What a guest types in these entries goes on into the account that they log in to. */
const CARRIED: readonly Kind[] = ['draft', 'message'];

/** The entries that the guest has changed in this tab. */
interface Touched {
  guest: Owner;
  entries: [Kind, string][];
}

let touched: Touched | null = null;

function touchedEntries(): Touched | null {
  if (touched) return touched;
  const stored = readJson('guestEntries', 'session') as Partial<Touched> | null;
  return stored && typeof stored.guest === 'string' && Array.isArray(stored.entries)
    ? (stored as Touched)
    : null;
}

function touch(guest: Owner, kind: Kind, key: string): void {
  const before = touchedEntries();
  const entries = before?.guest === guest ? before.entries : [];
  if (touched && entries.some(([one, other]) => one === kind && other === key)) return;
  touched = { guest, entries: [...entries, [kind, key]] };
  // It survives the way through Google's pages.
  writeJson('guestEntries', touched, 'session');
}

/**
 * Gives a user what the guest has typed in this tab. What a guest has typed in another tab may be another person's,
 * and stays the guest's.
 */
function adopt(user: Owner): void {
  const before = touchedEntries();
  for (const [kind, key] of before?.entries ?? [])
    if (before && CARRIED.includes(kind)) handOver(kind, key, before.guest, user);
  touched = null;
  remove('guestEntries', 'session');
}

/** Keeps the entries with their owners when users log in and out. */
export function followIdentity(): void {
  whenChanged(({ owner, kind, key, elsewhere }) => {
    if (!elsewhere && owner.startsWith('guest:') && owner === currentOwner()) touch(owner, kind, key);
  });
  whenIdentityChanges(({ from, to }) => {
    if (from === null && to !== null) adopt(userOwner(to));
  });
  whenSessionStarts((userId) => rebind(userOwner(userId)));
  whenLoggedOut(({ user, guest }) => {
    if (user) eraseOwner(userOwner(user));
    eraseOwner(guestOwner(guest));
    eraseOwner('device');
    touched = null;
    remove('guestEntries', 'session');
  });
}
