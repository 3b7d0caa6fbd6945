import { Alert, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { Trans, useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import { hasSessionEnded } from '@/api/error';
import type { User } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { isInterfaceLanguage, type InterfaceLanguage } from '@/shared/i18n/language';
import { OTP_PATH } from '@/shared/paths';
import { chooseLanguage, interfaceLanguageStore } from '@/shared/preferences';
import { codeSentState, pendingVerification } from '@/shared/session/pendingVerification';
import { LIMITS } from '@/shared/settings';
import { useStore } from '@/shared/store';
import { Isolated } from '@/shared/ui/Isolated';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import classes from './AccountPage.module.css';
import { PasswordFields } from './PasswordFields';
import { PhotoField } from './PhotoField';
import { ProfileFields } from './ProfileFields';
import {
  accountChanges,
  CLEARED_EDITS,
  hasUnsavedEdits,
  NO_EDITS,
  editProblems,
  type EditProblem,
  type Edits,
  type AccountField,
  type AccountPart,
} from './edits';
import { failureField } from './failureField';
import type { PhotoProblem } from './photo';
import { saveChanges, type PartResult } from './save';

/** The form for everything that users may change in their account. One save sends the parts that changed. */
export function AccountForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [photoProblem, setPhotoProblem] = useState<PhotoProblem | null>(null);
  const [failures, setFailures] = useState<Partial<Record<AccountPart, unknown>>>({});
  /** The interface language before the user chose another in this form; Cancel restores it. */
  const previousLanguage = useRef<InterfaceLanguage | null>(null);
  /** True while the page changes to the verification of a new address, which loses no input. */
  const isLeaving = useRef(false);

  const save = useMutation({
    mutationFn: async (now: Edits) => {
      // An older response must not replace newer data.
      await queryClient.cancelQueries({ queryKey: ['me'] });
      return saveChanges(accountChanges(user, now));
    },
    onSuccess: (outcomes) => reportResults(outcomes),
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
  const edits = form.values;
  const hasChanges = hasUnsavedEdits(user, edits);
  const pending = pendingVerification();

  const change = (part: Partial<Edits>) => {
    form.change(part);
    setPhotoProblem(null);
    setFailures({});
  };

  // The language has one value: a choice in the bar replaces the unsaved one here.
  const interfaceLanguage = useStore(interfaceLanguageStore);
  useEffect(() => {
    if (edits.language === undefined || edits.language === interfaceLanguage) return;
    previousLanguage.current = null;
    form.change({ language: undefined });
  }, [edits.language, interfaceLanguage, form]);

  const MESSAGES = {
    profile: ['accountPage.updatedSuccess', 'updateFailed'],
    password: ['accountPage.passwordChanged', 'accountPage.passwordChangeFailed'],
    email: ['accountPage.codeSent', 'accountPage.emailChangeFailed'],
  } as const;
  const failureText = (part: AccountPart, error: unknown) =>
    t(MESSAGES[part][1], { msg: errorText(error, t) });

  /** Reports each result once: a failure next to its field, or as a toast if it belongs to no field. */
  const reportResults = (outcomes: PartResult[]) => {
    const failed = outcomes.filter(({ error }) => error !== null && !hasSessionEnded(error));
    const savedParts = outcomes.filter(({ error }) => error === null).map(({ part }) => part);
    for (const part of savedParts) toast.success(t(MESSAGES[part][0]));
    for (const { part, error } of failed)
      if (failureField(part, error) === 'general') toast.error(failureText(part, error));
    for (const part of savedParts) form.change(CLEARED_EDITS[part]);
    setFailures(Object.fromEntries(failed.map(({ part, error }) => [part, error])));
    if (failed.length > 0) form.focusFirstInvalid();
    if (savedParts.includes('profile')) previousLanguage.current = null;
    // The user first corrects what could not be saved; the code can wait.
    if (savedParts.includes('email') && savedParts.length === outcomes.length) {
      isLeaving.current = true;
      void navigate(OTP_PATH, { state: codeSentState() });
    }
  };

  const cancel = () => {
    change(NO_EDITS);
    form.clearProblems();
    if (previousLanguage.current) chooseLanguage(previousLanguage.current);
    previousLanguage.current = null;
  };

  const failureAt = (field: AccountField | 'photo') => {
    for (const [part, error] of Object.entries(failures) as [AccountPart, unknown][]) {
      if (failureField(part, error) === field) return failureText(part, error);
    }
    return null;
  };
  const errorOf = (field: AccountField) => form.errorOf(field) ?? failureAt(field);

  return (
    <form {...form.formProps} className={classes['sheet']}>
      <LeaveGuard hasUnsavedChanges={() => hasChanges && !isLeaving.current} onDiscard={cancel} />
      {pending?.kind === 'address' && (
        <Alert variant="light" p="sm">
          <Trans
            i18nKey="accountPage.pendingAddress"
            components={{
              address: <Isolated dir="ltr" text={pending.newEmail} />,
              enter: <Link to={OTP_PATH} />,
            }}
          />
        </Alert>
      )}
      <section aria-labelledby="profile-title">
        <h2 id="profile-title">{t('accountPage.profile')}</h2>
        <PhotoField
          photo={user.photo}
          chosenPhoto={edits.photo}
          error={photoProblem ? t(`accountPage.${photoProblem}`) : failureAt('photo')}
          onChoose={(photo) => change({ photo })}
          onProblem={setPhotoProblem}
        />
        <ProfileFields
          user={user}
          edits={edits}
          change={change}
          errorOf={errorOf}
          onLanguage={(code) => {
            change({ language: code });
            if (!isInterfaceLanguage(code)) return;
            previousLanguage.current ??= interfaceLanguage;
            chooseLanguage(code);
          }}
        />
      </section>
      <section aria-labelledby="password-title">
        <h2 id="password-title">{t('loginPage.password')}</h2>
        <PasswordFields edits={edits} change={change} errorOf={errorOf} />
      </section>
      <div className={classes['end']}>
        <Button variant="default" disabled={!hasChanges || save.isPending} onClick={cancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={!hasChanges} loading={save.isPending}>
          {t('accountPage.save')}
        </Button>
      </div>
    </form>
  );
}
