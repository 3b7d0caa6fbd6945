import { useMutation, useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { ApiError } from '@/api/error';
import type { SavedDocument } from '@/api/types';
import { editKey, removeDraft } from '@/shared/drafts';
import { DOCX_TYPE, PDF_TYPE, saveFile } from '@/shared/files';
import { errorText } from '@/shared/i18n/errors';
import { deleteSaved, downloadSaved, restoreSaved, save, type Download } from '@/shared/saved/calls';
import { copyTitle } from '@/shared/saved/title';
import { forgetSaved, hideSaved, refreshSaved } from '@/shared/saved/useSaved';
import { undoToast } from '@/shared/ui/Toasts';

/**
 * Returns the actions for a saved document besides viewing and editing. Each reports its result by a toast.
 * `onDeleted` is called after a deletion.
 */
export function useActions({ _id: id, title, template }: SavedDocument, onDeleted: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();

  const failed = (say: (msg: string) => string) => (error: unknown) => {
    refreshSaved(queries);
    // SessionEndedDialog reports an ended session.
    if (!(error instanceof ApiError && error.status === 401)) toast.error(say(errorText(error, t)));
  };

  const download = useMutation({
    mutationFn: async (which: Download) => {
      const file = await toast.promise(downloadSaved(id, which), { loading: t('saved.downloading') });
      return { ...file, which };
    },
    onSuccess: ({ bytes, name, which }) => {
      saveFile(bytes, name, which === 'pdf' ? PDF_TYPE : DOCX_TYPE);
      // The download was counted.
      refreshSaved(queries);
    },
    onError: failed((msg) => t('saved.downloadFailed', { msg })),
  });

  const duplicate = useMutation({
    mutationFn: () =>
      toast.promise(
        save(template._id, { duplicateOf: id, title: copyTitle(title, t) }, crypto.randomUUID()),
        { loading: t('saved.duplicating') },
      ),
    onSuccess: () => {
      refreshSaved(queries);
      toast.success(t('saved.documentDuplicated'));
    },
    onError: failed((msg) => t('saved.duplicateFailed', { msg })),
  });

  const restore = useMutation({
    mutationFn: () => restoreSaved(id),
    onSuccess: () => {
      refreshSaved(queries, id);
      toast.success(t('saved.documentRestored'));
    },
    onError: failed((msg) => t('saved.restoreFailed', { msg })),
  });

  const remove = useMutation({
    mutationFn: () => deleteSaved(id),
    onMutate: () => hideSaved(queries, id),
    onSuccess: () => {
      forgetSaved(queries, id);
      removeDraft(editKey(id));
      refreshSaved(queries);
      onDeleted();
      undoToast(t('saved.documentDeleted'), t('undo'), () => restore.mutate());
    },
    onError: failed((msg) => t('saved.deleteFailed', { msg })),
  });

  return { download, duplicate, remove };
}

export type Actions = ReturnType<typeof useActions>;
