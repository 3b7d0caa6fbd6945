import { readText, removeKey, writeText } from '@/shared/storage';

/** The subject of a mailed code: the address of a registration, or a user's new address. */
export type PendingVerification =
  { kind: 'registration'; userId: string } | { kind: 'address'; newEmail: string };

export function pendingVerification(): PendingVerification | null {
  const newEmail = readText('newEmail');
  if (newEmail && readText('changeEmail') === 'true') return { kind: 'address', newEmail };
  const userId = readText('userId');
  return userId ? { kind: 'registration', userId } : null;
}

export function storePendingRegistration(userId: string): void {
  clearPendingVerification();
  writeText('userId', userId);
}

export function storePendingEmailChange(newEmail: string): void {
  clearPendingVerification();
  writeText('newEmail', newEmail);
  writeText('changeEmail', 'true');
}

/** Returns the time when a code was mailed, in milliseconds since 1970, for the page that asks for the code. */
export function codeSentState(): { sentAt: number } {
  return { sentAt: Date.now() };
}

export function clearPendingVerification(): void {
  for (const key of ['userId', 'newEmail', 'changeEmail'] as const) removeKey(key);
}
