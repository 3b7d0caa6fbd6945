import { readText, remove, writeText } from '@/shared/storage';

/** What a code in a mail is to prove: the address of a registration, or a new address of whoever is logged in. */
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

/** When a code was mailed, in milliseconds since 1970, as the page that asks for it is told. */
export function codeSentNow(): { sentAt: number } {
  return { sentAt: Date.now() };
}

export function forgetPending(): void {
  for (const key of ['userId', 'newEmail', 'changeEmail'] as const) remove(key);
}
