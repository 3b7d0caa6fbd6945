import { browserId, guestId } from '@/shared/session/browserSession';
import { currentSession, useSession } from '@/shared/session/session';

/**
 * The owner of what is kept in this browser: a user, the guest of this browser session, or the device, for the
 * answers that a guest has asked it to remember.
 */
export type Owner = `user:${string}` | `guest:${string}` | 'device';

export function userOwner(userId: string): Owner {
  return `user:${userId}`;
}

export function guestOwner(guest: string): Owner {
  return `guest:${guest}`;
}

/** Returns the user or guest who uses this page. */
export function currentOwner(): Owner {
  const user = currentSession()?.user;
  return user ? userOwner(user._id) : guestOwner(guestId());
}

/** Returns the current owner; a component with this value as its key shows nobody else's data. */
export function useOwner(): Owner {
  // The owner changes only together with the session.
  useSession();
  return currentOwner();
}

/**
 * Returns the browser session that an owner's entries end with, or null if they outlive it: those of a remembered
 * session and of the device.
 */
export function boundTo(owner: Owner): string | null {
  if (owner === 'device') return null;
  const session = currentSession();
  const remembered = session?.remembered && owner === userOwner(session.user._id);
  return remembered ? null : browserId();
}
