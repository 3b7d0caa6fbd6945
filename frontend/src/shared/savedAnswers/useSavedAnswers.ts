import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { SavedAnswers } from '@/api/types';
import { useSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';

import {
  accountAnswersQuery,
  addAccountAnswers,
  deleteAllAccountAnswers,
  deleteAccountAnswer,
  cacheAccountAnswers,
  enableAccountAnswers,
} from './account';
import { toAnswerInputs, type SavedAnswer } from './answers';
import { deviceAnswers, deleteDeviceAnswers, disableDeviceAnswers, enableDeviceAnswers } from './device';

/** A saved answer with the id that deletes it. */
export interface ListedAnswer extends SavedAnswer {
  id: string;
}

export interface SavedAnswersState {
  /** The storage of the answers: this browser for a guest, the account for a user. */
  storedIn: 'device' | 'account';
  /** Undefined while it is not known. */
  isEnabled: boolean | undefined;
  answers: ListedAnswer[];
  error: unknown;
  retry: () => void;
  isBusy: boolean;
  /** This and the following functions reject with an `ApiError` of the server. */
  setEnabled: (on: boolean) => Promise<void>;
  deleteAnswer: (answer: ListedAnswer) => Promise<void>;
  deleteAllAnswers: () => Promise<void>;
  /** For a user: the number of answers in this browser that a guest, possibly the same person, has saved. */
  guestAnswerCount: number;
  /** Moves the guest's answers into the account. */
  importGuestAnswers: () => Promise<void>;
}

/** Returns the saved answers of the current user or guest. */
export function useSavedAnswers(enabled = true): SavedAnswersState {
  const queryClient = useQueryClient();
  const userId = useSession()?.user._id;
  const guestAnswers = useStore(deviceAnswers);
  const account = useQuery({
    ...accountAnswersQuery(userId),
    enabled: enabled && userId !== undefined,
    staleTime: 300_000,
  });
  const { mutateAsync, isPending: busy } = useMutation({
    mutationFn: async (change: () => Promise<SavedAnswers>) => {
      const answers = await change();
      if (userId) cacheAccountAnswers(queryClient, userId, answers);
    },
  });

  // The same list again, so that the inputs that offer answers are not rendered again.
  const answers = useMemo(
    () =>
      userId === undefined
        ? guestAnswers.answers.map((answer) => ({ ...answer, id: `${answer.meaning} ${answer.value}` }))
        : (account.data?.answers ?? []).map(({ _id, ...answer }) => ({ ...answer, id: _id })),
    [userId, guestAnswers.answers, account.data?.answers],
  );

  if (userId === undefined)
    return {
      storedIn: 'device',
      isEnabled: guestAnswers.on,
      answers,
      error: null,
      retry: () => undefined,
      isBusy: false,
      setEnabled: async (on) => (on ? enableDeviceAnswers() : disableDeviceAnswers()),
      deleteAnswer: async ({ meaning, value }) =>
        deleteDeviceAnswers((other) => other.meaning === meaning && other.value === value),
      deleteAllAnswers: async () => deleteDeviceAnswers(() => true),
      guestAnswerCount: 0,
      importGuestAnswers: async () => undefined,
    };

  // Computed from the latest state, because two answers may be deleted at the same time.
  const without = (erased: (id: string) => boolean): SavedAnswers => {
    const now = queryClient.getQueryData<SavedAnswers>(accountAnswersQuery(userId).queryKey);
    return { on: true, answers: (now?.answers ?? []).filter(({ _id }) => !erased(_id)) };
  };
  return {
    storedIn: 'account',
    isEnabled: account.data?.on,
    answers,
    error: account.data ? null : account.error,
    retry: () => void account.refetch(),
    isBusy: busy,
    setEnabled: (on) => mutateAsync(() => enableAccountAnswers(on)),
    deleteAnswer: ({ id }) =>
      mutateAsync(() => deleteAccountAnswer(id).then(() => without((erased) => erased === id))),
    deleteAllAnswers: () => mutateAsync(() => deleteAllAccountAnswers().then(() => without(() => true))),
    guestAnswerCount: guestAnswers.answers.length,
    importGuestAnswers: () =>
      mutateAsync(async () => {
        const updated = await addAccountAnswers(toAnswerInputs(guestAnswers.answers));
        // The guest's answers stay if saving was switched off meanwhile on another device.
        if (updated.on) disableDeviceAnswers();
        return updated;
      }),
  };
}
