import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { ApiError } from '@/api/error';
import { removeDraft } from '@/shared/drafts';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { askBeforeLeaving } from '@/shared/leaving';
import { lostEntries, trouble } from '@/shared/personal/store';
import { savedPath } from '@/shared/saved/paths';
import { copyTitle } from '@/shared/saved/title';
import { refreshSaved } from '@/shared/saved/useSaved';
import { useSending } from '@/shared/saved/useSending';
import {
  drop,
  keepAsCopy,
  refusalOf,
  restoreAndSend,
  sendAgain,
  sendWaiting,
  useWaitingSaves,
  type Order,
} from '@/shared/saved/waiting';
import { useSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';

import classes from './WaitingSaves.module.css';

/** The unfinished saves above every page, each with its reason and the possible actions. */
export function WaitingSaves() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const session = useSession();
  const orders = useWaitingSaves();
  const shown = orders.filter(({ trouble }) => trouble !== null);
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null);
  useSending(session?.token, orders.filter(({ trouble }) => trouble?.kind !== 'refused').length);

  // Saves that another tab finishes are not reported here, so the lists are loaded again.
  useEffect(() => refreshSaved(queries), [orders.length, queries]);

  const some = orders.length > 0;
  useEffect(
    () => (some ? askBeforeLeaving(() => new Promise((answered) => setAnswer(() => answered))) : undefined),
    [some],
  );
  const settle = (leave: boolean) => {
    answer?.(leave);
    setAnswer(null);
  };

  return (
    <>
      <div role="status">
        {shown.length > 0 && (
          <ul className={classes['notices']} aria-label={t('saved.waiting')}>
            {shown.map((order) => (
              <Notice key={order.key} order={order} />
            ))}
          </ul>
        )}
      </div>
      <ConfirmDialog
        opened={answer !== null}
        title={t('leaving.title')}
        text={t('saved.waitingLost')}
        confirm={t('leaving.leave')}
        cancel={t('leaving.stay')}
        onConfirm={() => settle(true)}
        onCancel={() => settle(false)}
      />
    </>
  );
}

function Notice({ order }: { order: Order }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { title, body } = order;
  const unkept =
    useStore(trouble) !== null && lostEntries().some(({ kind, key }) => kind === 'save' && key === order.key);
  const refusal = refusalOf(order.trouble);
  const savedId = body.savedDocumentId ?? null;
  const changed = refusal?.code === 'document_changed' && savedId !== null;
  const deleted = refusal?.code === 'document_not_found' && savedId !== null;

  const act = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onError: (error) => {
      // SessionEndedDialog reports an ended session.
      if (!(error instanceof ApiError && error.status === 401))
        toast.error(t('saved.saveFailed', { msg: errorText(error) }));
    },
  });
  // The draft of a deleted document is removed; any other draft stays and can be opened again.
  const giveUp = () => {
    drop(order);
    if (deleted) removeDraft(order.draft.key);
  };
  const tryNow = async () => {
    if (await sendWaiting()) throw ApiError.network();
  };
  const openNewer = () => {
    if (savedId === null) return;
    drop(order);
    removeDraft(order.draft.key);
    refreshSaved(queries, savedId);
    void navigate(savedPath(savedId));
  };
  const button = (label: string, run: () => Promise<unknown>, first = false) => (
    <Button
      size="xs"
      variant={first ? 'filled' : 'default'}
      loading={act.isPending}
      onClick={() => act.mutate(run)}
    >
      {label}
    </Button>
  );

  return (
    <li className={classes['notice']} data-refused={refusal !== null || undefined}>
      <p className={classes['words']}>
        {changed
          ? t('saved.changedElsewhere', { title })
          : deleted
            ? t('saved.deletedElsewhere', { title })
            : refusal
              ? t('saved.refused', { title, msg: errorText(refusal) })
              : order.trouble?.kind === 'login'
                ? t('saved.waitsForLogin', { title })
                : t(unkept ? 'saved.waitsUnkept' : 'saved.waitsForNetwork', { title })}
      </p>
      <div className={classes['actions']}>
        {changed && (
          <>
            {button(t('saved.keepAsCopy'), () => keepAsCopy(order, copyTitle(title, t)), true)}
            <Button size="xs" variant="default" onClick={openNewer}>
              {t('saved.openNewer')}
            </Button>
          </>
        )}
        {deleted && button(t('saved.restoreAndSave'), () => restoreAndSend(order), true)}
        {!refusal && order.trouble?.kind === 'network' && button(t('saved.tryNow'), tryNow)}
        {refusal && !changed && !deleted && button(t('retry'), () => sendAgain(order), true)}
        {refusal && !changed && (
          <Button size="xs" variant="default" onClick={giveUp}>
            {t('saved.giveUp')}
          </Button>
        )}
      </div>
    </li>
  );
}
