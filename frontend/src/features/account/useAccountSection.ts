import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { hasSessionEnded } from '@/api/error';
import type { User } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { LIMITS } from '@/shared/settings';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import {
  accountChanges,
  CLEARED_EDITS,
  editProblems,
  hasUnsavedEdits,
  NO_EDITS,
  type AccountField,
  type AccountPart,
  type EditProblem,
  type Edits,
} from './edits';
import { failureField } from './failureField';
import { saveChanges } from './save';

const MESSAGES = {
  profile: ['accountPage.updatedSuccess', 'updateFailed'],
  password: ['accountPage.passwordChanged', 'accountPage.passwordChangeFailed'],
  email: ['accountPage.codeSent', 'accountPage.emailChangeFailed'],
} as const;

/** The sections of the account page. Each is a form of its own. */
export type AccountSection = 'photo' | 'profile' | 'password';

/** A section with edits that are not saved. */
export interface OpenSection {
  /** Discards the edits. */
  discard: () => void;
}

interface AccountSectionOptions {
  user: User;
  /** Called with the section while it has edits, and with null when it has none. */
  onOpen: (section: OpenSection | null) => void;
  /** Called with the saved parts. `isComplete` is true if all parts were saved. */
  onSaved?: (parts: AccountPart[], isComplete: boolean) => void;
  onDiscard?: () => void;
}

/** The edits of one section of the account page, and the save that sends the parts that changed. */
export function useAccountSection({ user, onOpen, onSaved, onDiscard }: AccountSectionOptions) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [failures, setFailures] = useState<Partial<Record<AccountPart, unknown>>>({});

  const save = useMutation({
    mutationFn: async (now: Edits) => {
      // An older response must not replace newer data.
      await queryClient.cancelQueries({ queryKey: ['me'] });
      return saveChanges(accountChanges(user, now));
    },
    /** Reports each result once: a failure next to its field, or as a toast if it belongs to no field. */
    onSuccess: (outcomes) => {
      const failed = outcomes.filter(({ error }) => error !== null && !hasSessionEnded(error));
      const savedParts = outcomes.filter(({ error }) => error === null).map(({ part }) => part);
      for (const part of savedParts) toast.success(t(MESSAGES[part][0]));
      for (const { part, error } of failed)
        if (failureField(part, error) === 'general') toast.error(failureText(part, error));
      for (const part of savedParts) form.change(CLEARED_EDITS[part]);
      setFailures(Object.fromEntries(failed.map(({ part, error }) => [part, error])));
      if (failed.length > 0) form.focusFirstInvalid();
      if (savedParts.length > 0) onSaved?.(savedParts, savedParts.length === outcomes.length);
    },
  });
  const form = useCheckedForm<Edits, EditProblem>({
    initialValues: NO_EDITS,
    findProblems: (now) => editProblems(user, now),
    problemText: (problem, field) =>
      t(`accountPage.${problem}`, {
        fewest: LIMITS.passwordMinCharacters,
        most: field === 'userName' ? LIMITS.userNameCharacters : LIMITS.passwordMaxCharacters,
      }),
    onSubmit: (now) => {
      setFailures({});
      save.mutate(now);
    },
  });
  const hasChanges = hasUnsavedEdits(user, form.values);

  const change = (part: Partial<Edits>) => {
    form.change(part);
    setFailures({});
  };
  const cancel = () => {
    change(NO_EDITS);
    form.clearProblems();
    onDiscard?.();
  };
  useEffect(() => onOpen(hasChanges ? { discard: cancel } : null));

  const failureText = (part: AccountPart, error: unknown) =>
    t(MESSAGES[part][1], { msg: errorText(error, t) });
  const failureAt = (field: AccountField | 'photo') => {
    for (const [part, error] of Object.entries(failures) as [AccountPart, unknown][]) {
      if (failureField(part, error) === field) return failureText(part, error);
    }
    return null;
  };
  return {
    edits: form.values,
    change,
    cancel,
    failureAt,
    errorOf: (field: AccountField) => form.errorOf(field) ?? failureAt(field),
    formProps: form.formProps,
    buttons: { hasChanges, isSaving: save.isPending, onCancel: cancel },
  };
}
