import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { refreshSaved } from '@/shared/saved/useSaved';
import { whenSaved } from '@/shared/saved/waiting';

/** Shows a toast for every document that has been saved, on any page. */
export function useSavedNews(): void {
  const { t } = useTranslation();
  const queries = useQueryClient();
  useEffect(
    () =>
      whenSaved((_, saved) => {
        refreshSaved(queries, saved._id);
        toast.success(t('saved.documentSaved'));
      }),
    [queries, t],
  );
}
