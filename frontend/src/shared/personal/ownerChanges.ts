import { onIdentityChange, onLogout, onSessionStart } from '@/shared/session/session';
import { readJson, removeKey, writeJson } from '@/shared/storage';

import type { EntryKind } from './entry';
import { currentOwner, guestOwner, userOwner, type Owner } from './owner';
import { deleteEntriesOf, transferEntry, rebindEntries, onEntryChange } from './store';

/** The kinds of entries that a guest takes into the account when they log in. */
const TRANSFERRED_KINDS: readonly EntryKind[] = ['draft', 'message'];

/** The entries that the guest has changed in this tab. */
interface GuestEntries {
  guest: Owner;
  entries: [EntryKind, string][];
}

let guestEntries: GuestEntries | null = null;

function storedGuestEntries(): GuestEntries | null {
  if (guestEntries) return guestEntries;
  const stored = readJson('guestEntries', 'session') as Partial<GuestEntries> | null;
  return stored && typeof stored.guest === 'string' && Array.isArray(stored.entries)
    ? (stored as GuestEntries)
    : null;
}

function recordGuestEntry(guest: Owner, kind: EntryKind, key: string): void {
  const stored = storedGuestEntries();
  const entries = stored?.guest === guest ? stored.entries : [];
  if (guestEntries && entries.some(([one, other]) => one === kind && other === key)) return;
  guestEntries = { guest, entries: [...entries, [kind, key]] };
  // The session storage keeps it while Google's pages are open.
  writeJson('guestEntries', guestEntries, 'session');
}

/**
 * Transfers the entries that the guest has changed in this tab to the user. Entries of other tabs may be another
 * person's, so they stay with the guest.
 */
function transferGuestEntries(user: Owner): void {
  const stored = storedGuestEntries();
  for (const [kind, key] of stored?.entries ?? [])
    if (stored && TRANSFERRED_KINDS.includes(kind)) transferEntry(kind, key, stored.guest, user);
  guestEntries = null;
  removeKey('guestEntries', 'session');
}

/** Transfers, rebinds or deletes entries when users log in and out. */
export function handleOwnerChanges(): void {
  onEntryChange(({ owner, kind, key, elsewhere }) => {
    if (!elsewhere && owner.startsWith('guest:') && owner === currentOwner())
      recordGuestEntry(owner, kind, key);
  });
  onIdentityChange(({ from, to }) => {
    if (from === null && to !== null) transferGuestEntries(userOwner(to));
  });
  onSessionStart((userId) => rebindEntries(userOwner(userId)));
  onLogout(({ user, guest }) => {
    if (user) deleteEntriesOf(userOwner(user));
    deleteEntriesOf(guestOwner(guest));
    deleteEntriesOf('device');
    guestEntries = null;
    removeKey('guestEntries', 'session');
  });
}
