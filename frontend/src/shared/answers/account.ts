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

/** Saves the answers of a filled form: in the account, or for a guest in this browser, if saving is switched on. */
export async function keepAnswers(queries: QueryClient, answers: Answer[]): Promise<void> {
  const user = currentSession()?.user;
  if (!user) {
    addToDevice(answers);
    return;
  }
  if (answers.length === 0) return;
  const { on } = await queries.fetchQuery({ ...accountAnswers(user._id), staleTime: 300_000 });
  if (on) setAccountAnswers(queries, user._id, await addToAccount(answers));
}
