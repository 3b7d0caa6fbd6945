import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import type { KnownAnswers } from '@/api/types';
import { useSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';

import {
  accountAnswers,
  addToAccount,
  eraseAccount,
  eraseFromAccount,
  setAccountAnswers,
  switchAccount,
} from './account';
import { toSend, type Known } from './answers';
import { device, eraseFromDevice, forgetDevice, rememberOnDevice } from './device';

/** An answer in a list, by which it can be erased. */
export interface ListedAnswer extends Known {
  id: string;
}

export interface KnownAnswersHere {
  /** Where they are kept: a guest's in this browser, a user's in his account; neither sees the other's. */
  place: 'device' | 'account';
  /** Undefined: not known yet. */
  on: boolean | undefined;
  answers: ListedAnswer[];
  error: unknown;
  retry: () => void;
  busy: boolean;
  /** Each fails with what the server has said. */
  turn: (on: boolean) => Promise<void>;
  erase: (answer: ListedAnswer) => Promise<void>;
  eraseAll: () => Promise<void>;
  /** Answers of a guest that this browser still has; he may be the same. */
  left: number;
  /** Makes them the account's, and forgets them here. */
  takeOver: () => Promise<void>;
}

/** What is known of whoever is here. */
export function useKnownAnswers(wanted = true): KnownAnswersHere {
  const queries = useQueryClient();
  const userId = useSession()?.user._id;
  const here = useStore(device);
  const account = useQuery({
    ...accountAnswers(userId),
    enabled: wanted && userId !== undefined,
    staleTime: 300_000,
  });
  const { mutateAsync, isPending: busy } = useMutation({
    mutationFn: async (change: () => Promise<KnownAnswers>) => {
      const known = await change();
      if (userId) setAccountAnswers(queries, userId, known);
    },
  });

  if (userId === undefined)
    return {
      place: 'device',
      on: here.on,
      answers: here.answers.map((answer) => ({ ...answer, id: `${answer.meaning} ${answer.value}` })),
      error: null,
      retry: () => undefined,
      busy: false,
      turn: async (on) => (on ? rememberOnDevice() : forgetDevice()),
      erase: async ({ meaning, value }) =>
        eraseFromDevice((other) => other.meaning === meaning && other.value === value),
      eraseAll: async () => eraseFromDevice(() => true),
      left: 0,
      takeOver: async () => undefined,
    };

  const known = account.data?.answers ?? [];
  // Of what is known once it is done: two may be erased at once.
  const without = (erased: (id: string) => boolean): KnownAnswers => {
    const now = queries.getQueryData<KnownAnswers>(accountAnswers(userId).queryKey);
    return { on: true, answers: (now?.answers ?? []).filter(({ _id }) => !erased(_id)) };
  };
  return {
    place: 'account',
    on: account.data?.on,
    answers: known.map(({ _id, ...answer }) => ({ ...answer, id: _id })),
    error: account.data ? null : account.error,
    retry: () => void account.refetch(),
    busy,
    turn: (on) => mutateAsync(() => switchAccount(on)),
    erase: ({ id }) => mutateAsync(() => eraseFromAccount(id).then(() => without((erased) => erased === id))),
    eraseAll: () => mutateAsync(() => eraseAccount().then(() => without(() => true))),
    left: here.answers.length,
    takeOver: () =>
      mutateAsync(async () => {
        const taken = await addToAccount(toSend(here.answers));
        // Not where it was switched off meanwhile, on another machine.
        if (taken.on) forgetDevice();
        return taken;
      }),
  };
}
