import { useSyncExternalStore } from 'react';

import { isPicture, type FieldValue, type PictureValue } from '@/shared/fields/values';
import { userOwner, type Owner } from '@/shared/personal/owner';
import { changeEntry, onEntryChange, readEntry } from '@/shared/personal/store';
import { currentSession, useSession } from '@/shared/session/session';

// One signature for each user of this browser, and one for its guests. It is kept only in this browser, and a logout
// deletes it.

const KEY = 'kept';

function currentKeeper(): Owner {
  const user = currentSession()?.user;
  return user ? userOwner(user._id) : 'device';
}

function readSignature(): PictureValue | null {
  const stored = readEntry('signature', KEY, currentKeeper()) as FieldValue | null;
  return stored !== null && isPicture(stored) && typeof stored.image === 'string' ? stored : null;
}

const onSignatureChange = (listener: () => void) =>
  onEntryChange(({ kind }) => {
    if (kind === 'signature') listener();
  });

/** Returns the kept signature of the current user or guest; null if there is none. */
export function useKeptSignature(): PictureValue | null {
  // Another user has another signature.
  useSession();
  return useSyncExternalStore(onSignatureChange, readSignature);
}

export function keepSignature(signature: PictureValue): void {
  void changeEntry('signature', KEY, () => signature, currentKeeper());
}

export function deleteKeptSignature(): void {
  void changeEntry('signature', KEY, () => null, currentKeeper());
}
