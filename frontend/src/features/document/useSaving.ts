import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { fieldsAndValues, type Draft } from '@/shared/drafts';
import { errorText } from '@/shared/i18n/errors';
import { savedPath } from '@/shared/saved/paths';
import { drop, place, refusalOf, useWaitingSaves, whenSaved, type Order } from '@/shared/saved/waiting';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { currentSession, useSession } from '@/shared/session/session';
import { readText, remove, writeText } from '@/shared/storage';

import type { Subject } from './useFilled';
import { draftKey, resultPath, type Work } from './work';

/** Refusals that want a decision: they stand above the page until somebody has made it (app/shell/WaitingSaves.tsx). */
const TO_BE_DECIDED = ['document_changed', 'document_not_found'];

/** Saving what the result page shows: now, after a login, or as soon as the network is back. */
export function useSaving(work: Work, draft: Draft, subject: Subject | undefined) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const [loginRequired, setLoginRequired] = useState(false);
  const key = draftKey(work);
  const filling = draft.filling ?? '';
  /** Names the filling that is to be saved once somebody has logged in. */
  const wish = `${key} ${filling}`;
  const orders = useWaitingSaves(session?.user._id);
  const mine = orders.find((order) => order.draft.key === key && order.draft.filling === filling);

  const { mutate, isPending: busy } = useMutation({
    mutationFn: async (subject: Subject) => {
      const user = currentSession()?.user;
      if (!user) return;
      const order: Omit<Order, 'trouble'> = {
        // Made of the filling's name: it can be saved once, however often it is tried.
        key: `${filling}-save`,
        userId: user._id,
        templateId: subject.templateId,
        title: subject.title,
        body: {
          fieldsAndValues: fieldsAndValues(subject.fields, draft.values),
          blank: draft.blank,
          ...subject.edit,
        },
        draft: { key, filling },
      };
      const trouble = await place(order);
      const refusal = refusalOf(trouble);
      if (!refusal) return;
      if (TO_BE_DECIDED.includes(refusal.code) && subject.edit) {
        window.scrollTo(0, 0);
        return;
      }
      drop({ ...order, trouble });
      throw refusal;
    },
    onError: (error) => toast.error(t('saved.saveFailed', { msg: errorText(error, t) })),
  });

  // Whenever it has come through, the saved document is what this page was about.
  useEffect(
    () =>
      whenSaved((order, saved) => {
        if (order.draft.key === key && order.draft.filling === filling)
          void navigate(savedPath(saved._id), { replace: true });
      }),
    [key, filling, navigate],
  );

  // Back from the login that saving asked for.
  useEffect(() => {
    if (!session || !subject || readText('saveAfterLogin', 'session') !== wish) return;
    remove('saveAfterLogin', 'session');
    mutate(subject);
  }, [session, subject, wish, mutate]);

  return {
    busy,
    /** It is written down, and sent as soon as it can be. */
    waits: !busy && mine !== undefined && mine.trouble !== null && mine.trouble.kind !== 'refused',
    /** It was refused, and what becomes of it is to be decided above the page. */
    undecided: !busy && mine?.trouble?.kind === 'refused',
    loginRequired,
    save: () => {
      if (session && subject) mutate(subject);
      else setLoginRequired(true);
    },
    logIn: () => {
      writeText('saveAfterLogin', wish, 'session');
      storeReturnUrl(resultPath(work));
      void navigate('/login');
    },
    cancelLogin: () => {
      setLoginRequired(false);
      remove('saveAfterLogin', 'session');
      toast(t('result.loginCancelled'));
    },
  };
}
