import type { QueryClient } from '@tanstack/react-query';

import { responseBody, api } from '@/api/client';
import type { AnswerInput, SavedAnswers } from '@/api/types';
import { currentSession } from '@/shared/session/session';

import { addDeviceAnswers } from './device';

/** Returns the query options for an account's saved answers. Each account has its own cache entry. */
export function accountAnswersQuery(userId: string | undefined) {
  return {
    queryKey: ['known-answers', userId],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      responseBody(api.GET('/api/v1/users/me/answers', { signal })),
  };
}

export function cacheAccountAnswers(queryClient: QueryClient, userId: string, answers: SavedAnswers): void {
  // A running request would return older answers.
  void queryClient.cancelQueries(accountAnswersQuery(userId));
  queryClient.setQueryData(accountAnswersQuery(userId).queryKey, answers);
}

export async function enableAccountAnswers(on: boolean): Promise<SavedAnswers> {
  return responseBody(api.PUT('/api/v1/users/me/answers', { body: { on } }));
}

export async function addAccountAnswers(answers: AnswerInput[]): Promise<SavedAnswers> {
  return responseBody(api.POST('/api/v1/users/me/answers', { body: { answers } }));
}

export async function deleteAccountAnswer(id: string): Promise<void> {
  await responseBody(api.DELETE('/api/v1/users/me/answers/{id}', { params: { path: { id } } }));
}

export async function deleteAllAccountAnswers(): Promise<void> {
  await responseBody(api.DELETE('/api/v1/users/me/answers'));
}

/**
 * Saves the answers of a form that a user, or a guest (undefined), has filled in: in the account, or in this browser
 * for a guest, if saving is switched on. Nothing is saved if another person uses this page by now.
 */
export async function saveAnswers(
  queryClient: QueryClient,
  userId: string | undefined,
  answers: AnswerInput[],
): Promise<void> {
  const hasUserChanged = () => currentSession()?.user._id !== userId;
  if (hasUserChanged() || answers.length === 0) return;
  if (userId === undefined) {
    addDeviceAnswers(answers);
    return;
  }
  const { on } = await queryClient.fetchQuery({ ...accountAnswersQuery(userId), staleTime: 300_000 });
  if (!on || hasUserChanged()) return;
  const saved = await addAccountAnswers(answers);
  if (!hasUserChanged()) cacheAccountAnswers(queryClient, userId, saved);
}
