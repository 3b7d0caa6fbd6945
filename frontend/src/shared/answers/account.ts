import type { QueryClient } from '@tanstack/react-query';

import { answerOf, api } from '@/api/client';
import type { Answer, KnownAnswers } from '@/api/types';
import { currentSession } from '@/shared/session/session';

import { addToDevice } from './device';

/** Returns the query options for an account's saved answers. Each account has its own cache entry. */
export function accountAnswers(userId: string | undefined) {
  return {
    queryKey: ['known-answers', userId],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      answerOf(api.GET('/api/v1/users/me/answers', { signal })),
  };
}

export function setAccountAnswers(queries: QueryClient, userId: string, known: KnownAnswers): void {
  // A running request would return older answers.
  void queries.cancelQueries(accountAnswers(userId));
  queries.setQueryData(accountAnswers(userId).queryKey, known);
}

export async function switchAccount(on: boolean): Promise<KnownAnswers> {
  return answerOf(api.PUT('/api/v1/users/me/answers', { body: { on } }));
}

export async function addToAccount(answers: Answer[]): Promise<KnownAnswers> {
  return answerOf(api.POST('/api/v1/users/me/answers', { body: { answers } }));
}

export async function eraseFromAccount(id: string): Promise<void> {
  await answerOf(api.DELETE('/api/v1/users/me/answers/{id}', { params: { path: { id } } }));
}

export async function eraseAccount(): Promise<void> {
  await answerOf(api.DELETE('/api/v1/users/me/answers'));
}

/**
 * Saves the answers of a form that a user, or a guest (undefined), has filled in: in the account, or for a guest in
 * this browser, if saving is switched on. Nothing is saved if another person uses this page by now.
 */
export async function keepAnswers(
  queries: QueryClient,
  userId: string | undefined,
  answers: Answer[],
): Promise<void> {
  const isGone = () => currentSession()?.user._id !== userId;
  if (isGone() || answers.length === 0) return;
  if (userId === undefined) {
    addToDevice(answers);
    return;
  }
  const { on } = await queries.fetchQuery({ ...accountAnswers(userId), staleTime: 300_000 });
  if (!on || isGone()) return;
  const known = await addToAccount(answers);
  if (!isGone()) setAccountAnswers(queries, userId, known);
}
