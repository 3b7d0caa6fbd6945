import { browserId, guestId } from '@/shared/session/browserSession';
import { currentSession, useSession } from '@/shared/session/session';

/**
 * The owner of entries in this browser: a user, or the guest of this browser session. The device owns the answers and
 * the signature that a guest has chosen to keep.
 */
export type Owner = `user:${string}` | `guest:${string}` | 'device';

export function userOwner(userId: string): Owner {
  return `user:${userId}`;
}

export function guestOwner(guestId: string): Owner {
  return `guest:${guestId}`;
}

/** Returns the user or guest who uses this page. */
export function currentOwner(): Owner {
  const user = currentSession()?.user;
  return user ? userOwner(user._id) : guestOwner(guestId());
}

/** Returns the current owner. A component with this value as its key never shows another owner's data. */
export function useOwner(): Owner {
  // The owner changes only together with the session.
  useSession();
  return currentOwner();
}

/**
 * Returns the browser session that an owner's entries end with, or null if they outlive it: those of a remembered
 * session and of the device.
 */
export function browserSessionOf(owner: Owner): string | null {
  if (owner === 'device') return null;
  const session = currentSession();
  const remembered = session?.remembered && owner === userOwner(session.user._id);
  return remembered ? null : browserId();
}
