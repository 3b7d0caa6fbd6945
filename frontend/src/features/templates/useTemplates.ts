import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { Template } from '@/api/types';

import { toQuery, type Filters } from './filters';

/** Returns one page of the templates that match `filters`. */
export function useTemplates(filters: Filters) {
  const query = toQuery(filters);
  return useQuery({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Returns the number of all templates, active and inactive. */
export function useTemplateCount(): number | undefined {
  const query = { limit: 1, status: 'all' };
  const { data } = useQuery({
    queryKey: ['documents', query],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/documents', { params: { query }, signal })),
  });
  return data?.total;
}

/** Loads a changed template and the lists again. */
export function refreshTemplate(queryClient: QueryClient, id: string): void {
  void queryClient.invalidateQueries({ queryKey: ['documents'] });
  void queryClient.invalidateQueries({ queryKey: ['categories'] });
  void queryClient.invalidateQueries({ queryKey: ['document', id] });
}

/** Deactivates or activates a template. Each action reports its result by a toast. */
export function useTemplateStatus(
  { _id: id }: Pick<Template, '_id'>,
  callbacks: { onDeactivated: () => void; onActivated: () => void },
) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const params = { path: { id } };

  const activate = useMutation({
    mutationFn: () => responseBody(api.PATCH('/api/v1/documents/{id}/activate', { params })),
    onSuccess: () => {
      refreshTemplate(queryClient, id);
      toast.success(t('templates.documentActivated'));
      callbacks.onActivated();
    },
    onError: () => refreshTemplate(queryClient, id),
    meta: { failureText: (msg) => t('templates.activateFailed', { msg }) },
  });

  const deactivate = useMutation({
    mutationFn: () => responseBody(api.PATCH('/api/v1/documents/{id}/deactivate', { params })),
    onSuccess: () => {
      refreshTemplate(queryClient, id);
      callbacks.onDeactivated();
    },
    onError: () => refreshTemplate(queryClient, id),
    meta: { failureText: (msg) => t('templates.deleteFailed', { msg }) },
  });

  return { activate, deactivate };
}
