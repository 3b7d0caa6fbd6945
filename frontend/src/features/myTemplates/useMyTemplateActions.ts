import { useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { api, responseBody } from '@/api/client';
import type { Template } from '@/api/types';
import { removeDraft } from '@/shared/drafts';
import { copyTitle } from '@/shared/savedDocuments/copyTitle';
import { MY_TEMPLATES_KEY } from '@/shared/templates/ownTemplates';
import { templateKey } from '@/shared/templates/useTemplate';

/** Returns the actions for a private template that have no page. Each reports its result by a toast. */
export function useMyTemplateActions({ _id: id, title }: Template, onDeleted: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: MY_TEMPLATES_KEY });

  const duplicate = useMutation({
    mutationFn: () =>
      toast.promise(
        responseBody(
          api.POST('/api/v1/my-templates/{id}/duplicate', {
            params: { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } },
            body: { title: copyTitle(title, t) },
          }),
        ),
        { loading: t('saved.duplicating') },
      ),
    onSuccess: async () => {
      await refresh();
      toast.success(t('ownTemplates.duplicated'));
    },
    onError: () => void refresh(),
    meta: { failureText: (msg) => t('ownTemplates.duplicateFailed', { msg }) },
  });

  const remove = useMutation({
    mutationFn: () => responseBody(api.DELETE('/api/v1/my-templates/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      removeDraft(id);
      queryClient.removeQueries({ queryKey: templateKey(id) });
      await refresh();
      onDeleted();
      toast.success(t('ownTemplates.deleted'));
    },
    onError: () => void refresh(),
    meta: { failureText: (msg) => t('ownTemplates.deleteFailed', { msg }) },
  });

  return { duplicate, remove };
}
