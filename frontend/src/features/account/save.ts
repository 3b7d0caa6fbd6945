import { responseBody, api, multipartForm } from '@/api/client';
import { hasSessionEnded } from '@/api/error';
import type { UpdateMeForm } from '@/api/types';
import { storePendingEmailChange } from '@/shared/session/pendingVerification';
import { updateSession } from '@/shared/session/session';

import type { Changes, AccountPart, ProfileChange } from './edits';

export interface PartResult {
  part: AccountPart;
  /** Null after success. */
  error: unknown;
}

/** Saves the profile. In the API an empty text removes the country. */
async function saveProfile({ photo, country, ...profile }: ProfileChange): Promise<void> {
  const texts = { ...profile, ...(country === undefined ? {} : { country: country ?? '' }) };
  const body = photo
    ? multipartForm<UpdateMeForm>({
        ...texts,
        file: new File([photo.file], 'photo.jpg', { type: photo.file.type }),
      })
    : texts;
  const { user } = await responseBody(api.PATCH('/api/v1/users/me', { body }));
  updateSession(user);
}

async function savePart(part: AccountPart, changes: Changes): Promise<void> {
  if (part === 'profile' && changes.profile) await saveProfile(changes.profile);
  if (part === 'password' && changes.password) {
    const { user, token } = await responseBody(
      api.POST('/api/v1/auth/change-password', { body: changes.password }),
    );
    // The change has ended every session except the one in the response.
    updateSession(user, token);
  }
  if (part === 'email' && changes.email !== undefined) {
    await responseBody(api.POST('/api/v1/auth/change-email', { body: { newEmail: changes.email } }));
    storePendingEmailChange(changes.email);
  }
}

/**
 * Saves the changed parts one after the other. A failure of one part does not stop the others. Only after the
 * session has ended is nothing more sent.
 */
export async function saveChanges(changes: Changes): Promise<PartResult[]> {
  const results: PartResult[] = [];
  for (const part of ['profile', 'password', 'email'] as const) {
    if (changes[part] === undefined) continue;
    try {
      await savePart(part, changes);
      results.push({ part, error: null });
    } catch (error) {
      results.push({ part, error });
      if (hasSessionEnded(error)) break;
    }
  }
  return results;
}
