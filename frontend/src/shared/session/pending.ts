import { readText, remove, writeText } from '@/shared/storage';

/** The subject of a mailed code: the address of a registration, or a user's new address. */
export type Pending = { kind: 'registration'; userId: string } | { kind: 'address'; newEmail: string };

export function pendingProof(): Pending | null {
  const newEmail = readText('newEmail');
  if (newEmail && readText('changeEmail') === 'true') return { kind: 'address', newEmail };
  const userId = readText('userId');
  return userId ? { kind: 'registration', userId } : null;
}

export function awaitRegistration(userId: string): void {
  forgetPending();
  writeText('userId', userId);
}

export function awaitAddress(newEmail: string): void {
  forgetPending();
  writeText('newEmail', newEmail);
  writeText('changeEmail', 'true');
}

/** Returns the time when a code was mailed, in milliseconds since 1970, for the page that asks for the code. */
export function codeSentNow(): { sentAt: number } {
  return { sentAt: Date.now() };
}

export function forgetPending(): void {
  for (const key of ['userId', 'newEmail', 'changeEmail'] as const) remove(key);
}
