import { answerOf, api, formOf } from '@/api/client';
import { ApiError } from '@/api/error';
import type { UpdateMeForm } from '@/api/types';
import { awaitAddress } from '@/shared/session/pending';
import { updateSession } from '@/shared/session/session';

import type { Changes, Part, ProfileChange } from './edits';

export interface Outcome {
  part: Part;
  /** Null after success. */
  error: unknown;
}

/** Saves the profile. In the API an empty text removes the country. */
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
    // The change has ended every session except the one in the response.
    updateSession(user, token);
  }
  if (part === 'email' && changes.email !== undefined) {
    await answerOf(api.POST('/api/v1/auth/change-email', { body: { newEmail: changes.email } }));
    awaitAddress(changes.email);
  }
}

/**
 * Saves the changed parts one after the other. A failure of one part does not stop the others. Only after the
 * session has ended is nothing more sent.
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

/** Returns true if the session has ended; the dialog for a new login reports that. */
export function sessionHasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
