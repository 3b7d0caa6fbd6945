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

/**
 * Refusals that need a decision. They are shown above the page until the user has decided
 * (app/shell/WaitingSaves.tsx).
 */
const TO_BE_DECIDED = ['document_changed', 'document_not_found'];

/** Saves the document of the result page: now, after a login, or as soon as the network is back. */
export function useSaving(work: Work, draft: Draft, subject: Subject | undefined) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const [loginRequired, setLoginRequired] = useState(false);
  const key = draftKey(work);
  const filling = draft.filling ?? '';
  /** The name of the state that is to be saved after the login. */
  const wish = `${key} ${filling}`;
  const orders = useWaitingSaves();
  const mine = orders.find((order) => order.draft.key === key && order.draft.filling === filling);

  const { mutate, isPending: busy } = useMutation({
    mutationFn: async (subject: Subject) => {
      const user = currentSession()?.user;
      if (!user) return;
      const order: Omit<Order, 'trouble'> = {
        // Derived from the name of the state, so that it is saved only once, however often it is tried.
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
      drop(order);
      throw refusal;
    },
    onError: (error) => toast.error(t('saved.saveFailed', { msg: errorText(error, t) })),
  });

  // After saving, the page of the saved document replaces this one.
  useEffect(
    () =>
      whenSaved((order, saved) => {
        if (order.draft.key === key && order.draft.filling === filling)
          void navigate(savedPath(saved._id), { replace: true });
      }),
    [key, filling, navigate],
  );

  // The user has returned from the login that saving required.
  useEffect(() => {
    if (!session || !subject || readText('saveAfterLogin', 'session') !== wish) return;
    remove('saveAfterLogin', 'session');
    mutate(subject);
  }, [session, subject, wish, mutate]);

  return {
    busy,
    /** The save is stored on the device, and is sent as soon as possible. */
    waits: !busy && mine !== undefined && mine.trouble !== null && mine.trouble.kind !== 'refused',
    /** The save was refused; the user decides in the notice above the page. */
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
