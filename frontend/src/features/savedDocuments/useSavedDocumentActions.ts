import { useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import type { SavedDocument } from '@/api/types';
import { editDraftKey, removeDraft } from '@/shared/drafts';
import { DOCX_TYPE, PDF_TYPE, saveFile } from '@/shared/files';
import { deleteSavedDocument, undeleteDocument, saveDocument } from '@/shared/savedDocuments/calls';
import { downloadSavedDocument, type FileFormat } from '@/shared/savedDocuments/openSavedDocument';
import { copyTitle } from '@/shared/savedDocuments/copyTitle';
import {
  removeFromSavedCache,
  removeFromSavedLists,
  refreshSavedDocuments,
} from '@/shared/savedDocuments/useSavedDocument';
import { undoToast } from '@/shared/ui/Toasts';

/**
 * Returns the actions for a saved document besides viewing and editing. Each reports its result by a toast.
 * `onDeleted` is called after a deletion.
 */
export function useSavedDocumentActions({ _id: id, title, template }: SavedDocument, onDeleted: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();

  const download = useMutation({
    mutationFn: async (which: FileFormat) => {
      const file = await toast.promise(downloadSavedDocument(id, which), { loading: t('saved.downloading') });
      return { ...file, which };
    },
    onSuccess: ({ bytes, name, which }) => {
      saveFile(bytes, name, which === 'pdf' ? PDF_TYPE : DOCX_TYPE);
      // The download was counted.
      refreshSavedDocuments(queryClient);
    },
    onError: () => refreshSavedDocuments(queryClient),
    meta: { failureText: (msg) => t('saved.downloadFailed', { msg }) },
  });

  const duplicate = useMutation({
    mutationFn: () =>
      toast.promise(
        saveDocument(template._id, { duplicateOf: id, title: copyTitle(title, t) }, crypto.randomUUID()),
        { loading: t('saved.duplicating') },
      ),
    onSuccess: () => {
      refreshSavedDocuments(queryClient);
      toast.success(t('saved.documentDuplicated'));
    },
    onError: () => refreshSavedDocuments(queryClient),
    meta: { failureText: (msg) => t('saved.duplicateFailed', { msg }) },
  });

  const restore = useMutation({
    mutationFn: () => undeleteDocument(id),
    onSuccess: () => {
      refreshSavedDocuments(queryClient, id);
      toast.success(t('saved.documentRestored'));
    },
    onError: () => refreshSavedDocuments(queryClient),
    meta: { failureText: (msg) => t('saved.restoreFailed', { msg }) },
  });

  const remove = useMutation({
    mutationFn: () => deleteSavedDocument(id),
    onMutate: () => removeFromSavedLists(queryClient, id),
    onSuccess: () => {
      removeFromSavedCache(queryClient, id);
      removeDraft(editDraftKey(id));
      refreshSavedDocuments(queryClient);
      onDeleted();
      undoToast(t('saved.documentDeleted'), t('undo'), () => restore.mutate());
    },
    onError: () => refreshSavedDocuments(queryClient),
    meta: { failureText: (msg) => t('saved.deleteFailed', { msg }) },
  });

  return { download, duplicate, remove };
}

export type SavedDocumentActions = ReturnType<typeof useSavedDocumentActions>;
