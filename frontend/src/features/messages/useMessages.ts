import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { answerOf, api } from '@/api/client';
import { ApiError } from '@/api/error';
import type { DeskMessage } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';

export type Status = DeskMessage['status'];

interface MessagePage {
  supportMessages: DeskMessage[];
  next?: string | null;
}

/** Returns the messages of a status, newest first, as many pages as were requested. */
export function useMessages(status: Status) {
  return useInfiniteQuery({
    queryKey: ['messages', status],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/api/v1/support-messages', { params: { query: { status, before: pageParam } }, signal }),
      ),
    getNextPageParam: ({ next }: MessagePage) => next ?? null,
  });
}

/**
 * Returns the actions for a message. Each reports its result by a toast. `onGone` is called when the message leaves
 * the list.
 */
export function useMessageActions(message: DeskMessage, onGone: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();

  /** Updates the list from the response, because the server's index may be late. */
  const took = (changed: DeskMessage) => {
    queries.setQueriesData<InfiniteData<MessagePage>>({ queryKey: ['messages', message.status] }, (list) => {
      if (!list) return list;
      const pages = list.pages.map((page) => ({
        ...page,
        supportMessages: page.supportMessages.flatMap((known) =>
          known._id !== changed._id ? [known] : changed.status === message.status ? [changed] : [],
        ),
      }));
      return { ...list, pages };
    });
    if (changed.status === message.status) return;
    void queries.invalidateQueries({ queryKey: ['messages', changed.status] });
    onGone();
  };

  const failed = (say: (msg: string) => string) => (error: unknown) => {
    // SessionEndedDialog reports an ended session.
    if (!(error instanceof ApiError && error.status === 401)) toast.error(say(errorText(error, t)));
  };

  const answer = useMutation({
    mutationFn: ({ text, close, key }: { text: string; close: boolean; key: string }) =>
      answerOf(
        api.POST('/api/v1/support-messages/{id}/answer', {
          params: { path: { id: message._id }, header: { 'Idempotency-Key': key } },
          body: { message: text, version: message.version, close },
        }),
      ),
    onSuccess: ({ supportMessage }) => {
      toast.success(t('messages.answered'));
      took(supportMessage);
    },
    onError: failed((msg) => t('messages.answerFailed', { msg })),
  });

  const setStatus = useMutation({
    mutationFn: (status: Status) =>
      answerOf(
        api.PATCH('/api/v1/support-messages/{id}', {
          params: { path: { id: message._id } },
          body: { status },
        }),
      ),
    onSuccess: ({ supportMessage }) => {
      toast.success(supportMessage.status === 'closed' ? t('messages.closedToast') : t('messages.reopened'));
      took(supportMessage);
    },
    onError: failed((msg) => t('messages.statusFailed', { msg })),
  });

  return { answer, setStatus };
}
