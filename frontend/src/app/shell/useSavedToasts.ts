import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { refreshSavedDocuments } from '@/shared/savedDocuments/useSavedDocument';
import { onDocumentSaved } from '@/shared/savedDocuments/pendingSaves';

/** Shows a toast for every document that has been saved, on any page. */
export function useSavedToasts(): void {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onDocumentSaved((_, saved) => {
        refreshSavedDocuments(queryClient, saved._id);
        toast.success(t('saved.documentSaved'));
      }),
    [queryClient, t],
  );
}
