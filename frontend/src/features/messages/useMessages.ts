import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { SupportMessage } from '@/api/types';

export type MessageStatus = SupportMessage['status'];

interface MessagePage {
  supportMessages: SupportMessage[];
  next?: string | null;
}

/** Returns the messages of a status, newest first, as many pages as were requested. */
export function useMessages(status: MessageStatus) {
  return useInfiniteQuery({
    queryKey: ['messages', status],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      responseBody(
        api.GET('/api/v1/support-messages', { params: { query: { status, before: pageParam } }, signal }),
      ),
    getNextPageParam: ({ next }: MessagePage) => next ?? null,
  });
}

/**
 * Returns the actions for a message. Each reports its result by a toast. `onLeaveList` is called when the message
 * leaves the list.
 */
export function useMessageActions(message: SupportMessage, onLeaveList: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();

  /** Updates the list from the response, because the server's index may be late. */
  const updateLists = (changed: SupportMessage) => {
    queryClient.setQueriesData<InfiniteData<MessagePage>>(
      { queryKey: ['messages', message.status] },
      (list) => {
        if (!list) return list;
        const pages = list.pages.map((page) => ({
          ...page,
          supportMessages: page.supportMessages.flatMap((known) =>
            known._id !== changed._id ? [known] : changed.status === message.status ? [changed] : [],
          ),
        }));
        return { ...list, pages };
      },
    );
    if (changed.status === message.status) return;
    void queryClient.invalidateQueries({ queryKey: ['messages', changed.status] });
    onLeaveList();
  };

  const reply = useMutation({
    mutationFn: ({ text, close, key }: { text: string; close: boolean; key: string }) =>
      responseBody(
        api.POST('/api/v1/support-messages/{id}/answer', {
          params: { path: { id: message._id }, header: { 'Idempotency-Key': key } },
          body: { message: text, version: message.version, close },
        }),
      ),
    onSuccess: ({ supportMessage }) => {
      toast.success(t('messages.answered'));
      updateLists(supportMessage);
    },
    meta: { failureText: (msg) => t('messages.answerFailed', { msg }) },
  });

  const setStatus = useMutation({
    mutationFn: (status: MessageStatus) =>
      responseBody(
        api.PATCH('/api/v1/support-messages/{id}', {
          params: { path: { id: message._id } },
          body: { status },
        }),
      ),
    onSuccess: ({ supportMessage }) => {
      toast.success(supportMessage.status === 'closed' ? t('messages.closedToast') : t('messages.reopened'));
      updateLists(supportMessage);
    },
    meta: { failureText: (msg) => t('messages.statusFailed', { msg }) },
  });

  return { reply, setStatus };
}
