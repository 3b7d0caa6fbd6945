import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import type { Draft } from '@/shared/drafts';
import { toFieldsAndValues } from '@/shared/fields/fieldsAndValues';
import { errorText } from '@/shared/i18n/errors';
import { savedDocumentPath, type LOGIN_PATH, type REGISTER_PATH } from '@/shared/paths';
import {
  cancelSave,
  submitSave,
  refusalError,
  usePendingSaves,
  onDocumentSaved,
  type PendingSave,
} from '@/shared/savedDocuments/pendingSaves';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { currentSession, useSession } from '@/shared/session/session';
import { readText, removeKey, writeText } from '@/shared/storage';

import type { FillTarget } from './useFilledDocument';
import { draftKey, resultPath, type FillTask } from './fillTask';

/**
 * Refusals that need a decision. They are shown above the page until the user has decided
 * (app/shell/PendingSavesNotice.tsx).
 */
const CODES_TO_DECIDE = ['document_changed', 'document_not_found'];

/**
 * Saves the document of the result page: now, after a login, or as soon as the network is back. `title` is the title of
 * a new document; a blank one is the template's.
 */
export function useSaveDocument(task: FillTask, draft: Draft, target: FillTarget | undefined, title: string) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const [loginRequired, setLoginRequired] = useState(false);
  const key = draftKey(task);
  const filling = draft.filling ?? '';
  /** Identifies the draft, and its state, that is saved after the login. */
  const stateToSave = `${key} ${filling}`;
  const pendingSaves = usePendingSaves();
  const ownPendingSave = pendingSaves.find(
    (pendingSave) => pendingSave.draft.key === key && pendingSave.draft.filling === filling,
  );

  const { mutate, isPending: busy } = useMutation({
    mutationFn: async (target: FillTarget) => {
      const user = currentSession()?.user;
      if (!user) return;
      const pendingSave: Omit<PendingSave, 'trouble'> = {
        // Derived from the idempotency key of the draft, so that repeated attempts save it only once.
        key: `${filling}-save`,
        userId: user._id,
        templateId: target.templateId,
        title: target.edit ? target.title : title.trim() || target.title,
        body: {
          fieldsAndValues: toFieldsAndValues(target.fields, draft.values),
          blank: draft.blank,
          ...(target.edit ?? { title: title.trim() }),
        },
        draft: { key, filling },
      };
      const problem = await submitSave(pendingSave);
      const refusal = refusalError(problem);
      if (!refusal) return;
      if (CODES_TO_DECIDE.includes(refusal.code) && target.edit) {
        window.scrollTo(0, 0);
        return;
      }
      cancelSave(pendingSave);
      throw refusal;
    },
    onError: (error) => toast.error(t('saved.saveFailed', { msg: errorText(error, t) })),
  });

  // After saving, the page of the saved document replaces this one.
  useEffect(
    () =>
      onDocumentSaved((pendingSave, saved) => {
        if (pendingSave.draft.key === key && pendingSave.draft.filling === filling)
          void navigate(savedDocumentPath(saved._id), { replace: true });
      }),
    [key, filling, navigate],
  );

  // The user has returned from the login that saving required.
  useEffect(() => {
    if (!session || !target || readText('saveAfterLogin', 'session') !== stateToSave) return;
    removeKey('saveAfterLogin', 'session');
    mutate(target);
  }, [session, target, stateToSave, mutate]);

  return {
    busy,
    /** The save is stored on the device, and is sent as soon as possible. */
    isPending:
      !busy &&
      ownPendingSave !== undefined &&
      ownPendingSave.trouble !== null &&
      ownPendingSave.trouble.kind !== 'refused',
    /** The save was refused; the user decides in the notice above the page. */
    needsDecision: !busy && ownPendingSave?.trouble?.kind === 'refused',
    loginRequired,
    save: () => {
      if (session && target) mutate(target);
      else setLoginRequired(true);
    },
    /** Opens the page for a login or a registration; saving continues after it. */
    logIn: (path: typeof LOGIN_PATH | typeof REGISTER_PATH) => {
      writeText('saveAfterLogin', stateToSave, 'session');
      storeReturnUrl(resultPath(task));
      void navigate(path);
    },
    cancelLogin: () => {
      setLoginRequired(false);
      removeKey('saveAfterLogin', 'session');
      toast(t('result.loginCancelled'));
    },
  };
}
