import { useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { Category } from '@/api/types';

/** Returns a function that updates the cached categories from a response. */
function useShowCategories() {
  const queryClient = useQueryClient();
  return (response: { categories: Category[] }) => {
    queryClient.setQueryData(['categories', ''], response);
    void queryClient.invalidateQueries({ queryKey: ['categories', 'history'] });
    void queryClient.invalidateQueries({ queryKey: ['documents'] });
  };
}

/** Calls the server, shows the new state, and reports success. */
export function useCategoryChange(
  call: () => Promise<{ categories: Category[] }>,
  onDone: () => void,
  onClose: () => void,
) {
  const show = useShowCategories();
  return useMutation({
    mutationFn: call,
    onSuccess: (response) => {
      show(response);
      onDone();
      onClose();
    },
  });
}

/** Undoes the merge of a category. */
export function useSeparateCategory() {
  const { t } = useTranslation();
  const show = useShowCategories();
  return useMutation({
    mutationFn: (name: string) => responseBody(api.POST('/api/v1/categories/separate', { body: { name } })),
    onSuccess: (response) => {
      show(response);
      toast.success(t('templates.separated'));
    },
    meta: { failureText: (msg) => t('templates.separateFailed', { msg }) },
  });
}
