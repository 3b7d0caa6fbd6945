import { answerOf, api, formOf } from '@/api/client';
import { ApiError } from '@/api/error';
import type { UpdateMeForm } from '@/api/types';
import { awaitAddress } from '@/shared/session/pending';
import { updateSession } from '@/shared/session/session';

import type { Changes, Part, ProfileChange } from './edits';

export interface Outcome {
  part: Part;
  /** Null: it is done. */
  error: unknown;
}

/** On the wire an empty text takes a country away. */
async function saveProfile({ photo, country, ...profile }: ProfileChange): Promise<void> {
  const texts = { ...profile, ...(country === undefined ? {} : { country: country ?? '' }) };
  const body = photo
    ? formOf<UpdateMeForm>({ ...texts, file: new File([photo.file], 'photo.jpg', { type: photo.file.type }) })
    : texts;
  const { user } = await answerOf(api.PATCH('/api/v1/users/me', { body }));
  updateSession(user);
}

async function savePart(part: Part, changes: Changes): Promise<void> {
  if (part === 'profile' && changes.profile) await saveProfile(changes.profile);
  if (part === 'password' && changes.password) {
    const { user, token } = await answerOf(
      api.POST('/api/v1/auth/change-password', { body: changes.password }),
    );
    // It has ended every session but the one it answers.
    updateSession(user, token);
  }
  if (part === 'email' && changes.email !== undefined) {
    await answerOf(api.POST('/api/v1/auth/change-email', { body: { newEmail: changes.email } }));
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
