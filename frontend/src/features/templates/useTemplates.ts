import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { answerOf, api } from '@/api/client';
import { ApiError } from '@/api/error';
import type { Document } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';

import { queryOf, type Filters } from './filters';

/** Returns one page of the templates that match `filters`. */
export function useTemplates(filters: Filters) {
  const query = queryOf(filters);
  return useQuery({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/documents', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Returns the number of all templates, active and inactive. */
export function useCountOfAll(): number | undefined {
  const query = { limit: 1, status: 'all' };
  const { data } = useQuery({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/documents', { params: { query }, signal })),
  });
  return data?.total;
}

/** Loads a changed template and the lists again. */
export function refreshTemplate(queries: QueryClient, id: string): void {
  void queries.invalidateQueries({ queryKey: ['documents'] });
  void queries.invalidateQueries({ queryKey: ['categories'] });
  void queries.invalidateQueries({ queryKey: ['document', id] });
}

/** Deactivates or activates a template. Each action reports its result by a toast. */
export function useTurning({ _id: id }: Pick<Document, '_id'>, done: { out: () => void; back: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const params = { path: { id } };

  const failed = (say: (msg: string) => string) => (error: unknown) => {
    refreshTemplate(queries, id);
    // SessionEndedDialog reports an ended session.
    if (!(error instanceof ApiError && error.status === 401)) toast.error(say(errorText(error, t)));
  };

  const activate = useMutation({
    mutationFn: () => answerOf(api.PATCH('/api/v1/documents/{id}/activate', { params })),
    onSuccess: () => {
      refreshTemplate(queries, id);
      toast.success(t('templates.documentActivated'));
      done.back();
    },
    onError: failed((msg) => t('templates.activateFailed', { msg })),
  });

  const deactivate = useMutation({
    mutationFn: () => answerOf(api.PATCH('/api/v1/documents/{id}/deactivate', { params })),
    onSuccess: () => {
      refreshTemplate(queries, id);
      done.out();
    },
    onError: failed((msg) => t('templates.deleteFailed', { msg })),
  });

  return { activate, deactivate };
}
