import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { ApiError } from '@/api/error';
import { removeDraft } from '@/shared/drafts';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { askBeforeLeaving } from '@/shared/leaving';
import { savedDocumentPath } from '@/shared/paths';
import { unstoredEntries, storageProblem } from '@/shared/personal/store';
import { copyTitle } from '@/shared/savedDocuments/copyTitle';
import { refreshSavedDocuments } from '@/shared/savedDocuments/useSavedDocument';
import { useSendPendingSaves } from '@/shared/savedDocuments/useSendPendingSaves';
import {
  cancelSave,
  saveAsCopy,
  refusalError,
  undeleteAndSave,
  retrySave,
  sendPendingSaves,
  usePendingSaves,
  type PendingSave,
} from '@/shared/savedDocuments/pendingSaves';
import { useSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { NoticeButton } from '@/shared/ui/NoticeButton';

import classes from './Notices.module.css';

/** The pending saves above every page, each with its problem and the possible actions. */
export function PendingSavesNotice() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const session = useSession();
  const pendingSaves = usePendingSaves();
  const withProblem = pendingSaves.filter(({ trouble }) => trouble !== null);
  const [answerLeaving, setAnswerLeaving] = useState<((leave: boolean) => void) | null>(null);
  useSendPendingSaves(
    session?.token,
    pendingSaves.filter(({ trouble }) => trouble?.kind !== 'refused').length,
  );

  // Saves that another tab finishes are not reported here, so the lists are loaded again.
  useEffect(() => refreshSavedDocuments(queryClient), [pendingSaves.length, queryClient]);

  const hasPending = pendingSaves.length > 0;
  useEffect(
    () =>
      hasPending
        ? askBeforeLeaving(() => new Promise((answered) => setAnswerLeaving(() => answered)))
        : undefined,
    [hasPending],
  );
  const answerAndClose = (leave: boolean) => {
    answerLeaving?.(leave);
    setAnswerLeaving(null);
  };

  return (
    <>
      <div role="status">
        {withProblem.length > 0 && (
          <ul className={classes['notices']} aria-label={t('saved.waiting')}>
            {withProblem.map((pendingSave) => (
              <PendingSaveNotice key={pendingSave.key} pendingSave={pendingSave} />
            ))}
          </ul>
        )}
      </div>
      <ConfirmDialog
        opened={answerLeaving !== null}
        title={t('leaving.title')}
        text={t('saved.waitingLost')}
        confirm={t('leaving.leave')}
        cancel={t('leaving.stay')}
        onConfirm={() => answerAndClose(true)}
        onCancel={() => answerAndClose(false)}
      />
    </>
  );
}

function PendingSaveNotice({ pendingSave }: { pendingSave: PendingSave }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { title, body } = pendingSave;
  const isUnstored =
    useStore(storageProblem) !== null &&
    unstoredEntries().some(({ kind, key }) => kind === 'save' && key === pendingSave.key);
  const refusal = refusalError(pendingSave.trouble);
  const savedId = body.savedDocumentId ?? null;
  const hasConflict = refusal?.code === 'document_changed' && savedId !== null;
  const isDeleted = refusal?.code === 'document_not_found' && savedId !== null;

  const action = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    meta: { failureText: (msg) => t('saved.saveFailed', { msg }) },
  });
  // The draft of a deleted document is removed; any other draft stays and can be opened again.
  const discardSave = () => {
    cancelSave(pendingSave);
    if (isDeleted) removeDraft(pendingSave.draft.key);
  };
  const sendNow = async () => {
    if (await sendPendingSaves()) throw ApiError.network();
  };
  const openNewer = () => {
    if (savedId === null) return;
    cancelSave(pendingSave);
    removeDraft(pendingSave.draft.key);
    refreshSavedDocuments(queryClient, savedId);
    void navigate(savedDocumentPath(savedId));
  };
  const renderButton = (label: string, run: () => Promise<unknown>, first = false) => (
    <NoticeButton
      variant={first ? 'filled' : 'default'}
      loading={action.isPending}
      onClick={() => action.mutate(run)}
    >
      {label}
    </NoticeButton>
  );

  return (
    <li className={classes['notice']} data-refused={refusal !== null || undefined}>
      <p className={classes['words']}>
        {hasConflict
          ? t('saved.changedElsewhere', { title })
          : isDeleted
            ? t('saved.deletedElsewhere', { title })
            : refusal
              ? t('saved.refused', { title, msg: errorText(refusal) })
              : pendingSave.trouble?.kind === 'login'
                ? t('saved.waitsForLogin', { title })
                : t(isUnstored ? 'saved.waitsUnkept' : 'saved.waitsForNetwork', { title })}
      </p>
      <div className={classes['actions']}>
        {hasConflict && (
          <>
            {renderButton(t('saved.keepAsCopy'), () => saveAsCopy(pendingSave, copyTitle(title, t)), true)}
            <NoticeButton onClick={openNewer}>{t('saved.openNewer')}</NoticeButton>
          </>
        )}
        {isDeleted && renderButton(t('saved.restoreAndSave'), () => undeleteAndSave(pendingSave), true)}
        {!refusal && pendingSave.trouble?.kind === 'network' && renderButton(t('saved.tryNow'), sendNow)}
        {refusal &&
          !hasConflict &&
          !isDeleted &&
          renderButton(t('retry'), () => retrySave(pendingSave), true)}
        {refusal && !hasConflict && <NoticeButton onClick={discardSave}>{t('saved.giveUp')}</NoticeButton>}
      </div>
    </li>
  );
}
