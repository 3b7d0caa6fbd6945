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

/** A saved answer with an id to erase it by. */
export interface ListedAnswer extends Known {
  id: string;
}

export interface KnownAnswersHere {
  /** The place of the answers: this browser for a guest, the account for a user. They are kept apart. */
  place: 'device' | 'account';
  /** Undefined while it is not known. */
  on: boolean | undefined;
  answers: ListedAnswer[];
  error: unknown;
  retry: () => void;
  busy: boolean;
  /** These fail with the server's error. */
  turn: (on: boolean) => Promise<void>;
  erase: (answer: ListedAnswer) => Promise<void>;
  eraseAll: () => Promise<void>;
  /** The number of a guest's answers that are still in this browser. The guest may be the same person. */
  left: number;
  /** Moves the guest's answers into the account. */
  takeOver: () => Promise<void>;
}

/** Returns the saved answers of the current user or guest. */
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
  // Computed from the latest state, because two answers may be erased at the same time.
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
        // The guest's answers stay if saving was switched off meanwhile on another device.
        if (taken.on) forgetDevice();
        return taken;
      }),
  };
}
