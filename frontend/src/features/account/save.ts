import { patch, post } from '@/api/client';
import { ApiError } from '@/api/error';
import type { ChangePasswordResponse, UpdateMeResponse } from '@/api/types';
import { awaitAddress } from '@/shared/session/pending';
import { updateSession } from '@/shared/session/session';

import type { Changes, Part, ProfileChange } from './edits';

export interface Outcome {
  part: Part;
  /** Null: it is done. */
  error: unknown;
}

/** On the wire an empty text takes a country away. */
async function saveProfile({ userName, country, language, photo }: ProfileChange): Promise<void> {
  const texts = Object.entries({
    userName,
    language,
    country: country === null ? '' : country,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  let body: unknown = Object.fromEntries(texts);
  if (photo) {
    const form = new FormData();
    texts.forEach(([name, value]) => form.set(name, value));
    form.set('file', photo.file, 'photo.jpg');
    body = form;
  }
  const { user } = await patch<UpdateMeResponse>('/users/me', body);
  updateSession(user);
}

async function savePart(part: Part, changes: Changes): Promise<void> {
  if (part === 'profile' && changes.profile) await saveProfile(changes.profile);
  if (part === 'password' && changes.password) {
    const { user, token } = await post<ChangePasswordResponse>('/auth/change-password', changes.password);
    // It has ended every session but the one it answers.
    updateSession(user, token);
  }
  if (part === 'email' && changes.email !== undefined) {
    await post('/auth/change-email', { newEmail: changes.email });
    awaitAddress(changes.email);
  }
}

/**
 * Sends what changed, one part after the other: each may fail by itself and keeps no other from being saved. Only where
 * the session has ended nothing more is sent.
 */
export async function saveChanges(changes: Changes): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const part of ['profile', 'password', 'email'] as const) {
    if (changes[part] === undefined) continue;
    try {
      await savePart(part, changes);
      outcomes.push({ part, error: null });
    } catch (error) {
      outcomes.push({ part, error });
      if (sessionHasEnded(error)) break;
    }
  }
  return outcomes;
}

/** The dialog that asks for a new login says it all. */
export function sessionHasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
