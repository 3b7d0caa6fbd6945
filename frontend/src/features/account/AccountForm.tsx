import { Alert, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { isInterfaceLanguage, type InterfaceLanguage } from '@/shared/i18n/language';
import { chooseLanguage, languageView } from '@/shared/preferences';
import { codeSentNow, pendingProof } from '@/shared/session/pending';
import { LIMITS } from '@/shared/settings';
import { useStore } from '@/shared/store';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import classes from './AccountPage.module.css';
import { PasswordFields } from './PasswordFields';
import { PhotoField } from './PhotoField';
import { ProfileFields } from './ProfileFields';
import {
  changesOf,
  CLEARED,
  isDirty,
  NO_EDITS,
  problemsOf,
  type EditProblem,
  type Edits,
  type Field,
  type Part,
} from './edits';
import { placeOf } from './failures';
import type { PhotoProblem } from './photo';
import { saveChanges, sessionHasEnded, type Outcome } from './save';

/** The form for everything that users may change in their account. One save sends the parts that changed. */
export function AccountForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [photoProblem, setPhotoProblem] = useState<PhotoProblem | null>(null);
  const [failures, setFailures] = useState<Partial<Record<Part, unknown>>>({});
  /** The interface language before one was chosen here; Cancel restores it. */
  const before = useRef<InterfaceLanguage | null>(null);
  /** Set on the way to the verification of a new address, when leaving loses nothing. */
  const leaving = useRef(false);

  const save = useMutation({
    mutationFn: async (now: Edits) => {
      // An older response must not replace newer data.
      await queries.cancelQueries({ queryKey: ['me'] });
      return saveChanges(changesOf(user, now));
    },
    onSuccess: (outcomes) => told(outcomes),
  });
  const form = useCheckedForm<Edits, EditProblem>({
    initialValues: NO_EDITS,
    check: (now) => problemsOf(user, now),
    say: (problem, field) =>
      t(`accountPage.${problem}`, {
        fewest: LIMITS.passwordFewest,
        most: field === 'userName' ? LIMITS.userNameCharacters : LIMITS.passwordMost,
      }),
    onSubmit: (now) => {
      setFailures({});
      save.mutate(now);
    },
  });
  const edits = form.values;
  const dirty = isDirty(user, edits);
  const pending = pendingProof();

  const change = (part: Partial<Edits>) => {
    form.change(part);
    setPhotoProblem(null);
    setFailures({});
  };

  // The language has one value: a choice in the bar replaces the unsaved one here.
  const spoken = useStore(languageView);
  useEffect(() => {
    if (edits.language === undefined || edits.language === spoken) return;
    before.current = null;
    form.change({ language: undefined });
  }, [edits.language, spoken, form]);

  const MESSAGES = {
    profile: ['accountPage.updatedSuccess', 'accountPage.updateFailed'],
    password: ['accountPage.passwordChanged', 'accountPage.passwordChangeFailed'],
    email: ['accountPage.codeSent', 'accountPage.emailChangeFailed'],
  } as const;
  const failureText = (part: Part, error: unknown) => t(MESSAGES[part][1], { msg: errorText(error, t) });

  /** Reports each outcome once: a failure next to its field, or as a toast if it belongs to no field. */
  const told = (outcomes: Outcome[]) => {
    const failed = outcomes.filter(({ error }) => error !== null && !sessionHasEnded(error));
    const done = outcomes.filter(({ error }) => error === null).map(({ part }) => part);
    for (const part of done) toast.success(t(MESSAGES[part][0]));
    for (const { part, error } of failed)
      if (placeOf(part, error) === 'general') toast.error(failureText(part, error));
    for (const part of done) form.change(CLEARED[part]);
    setFailures(Object.fromEntries(failed.map(({ part, error }) => [part, error])));
    if (failed.length > 0) form.focusFirstWrong();
    if (done.includes('profile')) before.current = null;
    // The user first corrects what could not be saved; the code can wait.
    if (done.includes('email') && done.length === outcomes.length) {
      leaving.current = true;
      void navigate('/otp-verification', { state: codeSentNow() });
    }
  };

  const cancel = () => {
    change(NO_EDITS);
    form.forgetProblems();
    if (before.current) chooseLanguage(before.current);
    before.current = null;
  };

  const failedAt = (place: Field | 'photo') => {
    for (const [part, error] of Object.entries(failures) as [Part, unknown][]) {
      if (placeOf(part, error) === place) return failureText(part, error);
    }
    return null;
  };
  const errorOf = (field: Field) => form.errorOf(field) ?? failedAt(field);

  return (
    <form {...form.element} className={classes['sheet']}>
      <LeaveGuard unsaved={() => dirty && !leaving.current} onDiscard={cancel} />
      {pending?.kind === 'address' && (
        <Alert variant="light" p="sm">
          {t('accountPage.pendingAddress')} <bdi dir="ltr">{pending.newEmail}</bdi>.{' '}
          <Link to="/otp-verification">{t('accountPage.enterCode')}</Link>
        </Alert>
      )}
      <section aria-labelledby="profile-title">
        <h2 id="profile-title">{t('accountPage.profile')}</h2>
        <PhotoField
          photo={user.photo}
          chosen={edits.photo}
          error={photoProblem ? t(`accountPage.${photoProblem}`) : failedAt('photo')}
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
            before.current ??= spoken;
            chooseLanguage(code);
          }}
        />
      </section>
      <section aria-labelledby="password-title">
        <h2 id="password-title">{t('loginPage.password')}</h2>
        <PasswordFields edits={edits} change={change} errorOf={errorOf} />
      </section>
      <div className={classes['end']}>
        <Button variant="default" disabled={!dirty || save.isPending} onClick={cancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={!dirty} loading={save.isPending}>
          {t('accountPage.save')}
        </Button>
      </div>
    </form>
  );
}
