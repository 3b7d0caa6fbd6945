import { Alert, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import type { User } from '@/api/types';
import { errorText } from '@/shared/i18n/errors';
import { isInterfaceLanguage, type InterfaceLanguage } from '@/shared/i18n/language';
import { chooseLanguage, languageView } from '@/shared/preferences';
import { pendingProof } from '@/shared/session/pending';
import { LIMITS } from '@/shared/settings';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';

import classes from './AccountPage.module.css';
import { PasswordFields } from './PasswordFields';
import { PhotoField } from './PhotoField';
import { ProfileFields } from './ProfileFields';
import { changesOf, isDirty, NO_EDITS, problemOf, without, type Edits, type Field, type Part } from './edits';
import { placeOf } from './failures';
import type { PhotoProblem } from './photo';
import { saveChanges, sessionHasEnded, type Outcome } from './save';

/** Everything of an account that its owner may change; one Save sends the parts that changed. */
export function AccountForm({ user }: { user: User }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [edits, setEdits] = useState<Edits>(NO_EDITS);
  const [checked, setChecked] = useState(false);
  const [photoProblem, setPhotoProblem] = useState<PhotoProblem | null>(null);
  const [failures, setFailures] = useState<Partial<Record<Part, unknown>>>({});
  /** The interface's language before one was chosen here: Cancel gives it back. */
  const before = useRef<InterfaceLanguage | null>(null);

  /** On the way to the code of a new address nothing is lost. */
  const leaving = useRef(false);

  const dirty = isDirty(user, edits);
  const problem = checked ? problemOf(user, edits) : null;
  const pending = pendingProof();

  const forgetProblems = () => {
    setChecked(false);
    setPhotoProblem(null);
    setFailures({});
  };

  const change = (part: Partial<Edits>) => {
    setEdits((now) => ({ ...now, ...part }));
    forgetProblems();
  };

  const MESSAGES = {
    profile: ['accountPage.updatedSuccess', 'accountPage.updateFailed'],
    password: ['accountPage.passwordChanged', 'accountPage.passwordChangeFailed'],
    email: ['accountPage.codeSent', 'accountPage.emailChangeFailed'],
  } as const;

  const told = (outcomes: Outcome[]) => {
    for (const { part, error } of outcomes) {
      const [done, failed] = MESSAGES[part];
      if (error === null) toast.success(t(done));
      else if (!sessionHasEnded(error)) toast.error(t(failed, { msg: errorText(error, t) }));
    }
    const done = outcomes.filter(({ error }) => error === null).map(({ part }) => part);
    const failed = outcomes.filter(({ error }) => error !== null && !sessionHasEnded(error));
    setEdits((now) => done.reduce(without, now));
    setFailures(Object.fromEntries(failed.map(({ part, error }) => [part, error])));
    setChecked(false);
    if (done.includes('profile')) before.current = null;
    // What could not be saved is still here to be mended; the code can wait.
    if (done.includes('email') && done.length === outcomes.length) {
      leaving.current = true;
      void navigate('/otp-verification', { state: { sentAt: Date.now() } });
    }
  };

  const save = useMutation({
    mutationFn: async (now: Edits) => {
      // An older answer must not overtake the newer ones.
      await queries.cancelQueries({ queryKey: ['me'] });
      return saveChanges(changesOf(user, now));
    },
    onSuccess: told,
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    setFailures({});
    const wrong = problemOf(user, edits);
    if (wrong) form.current?.querySelector<HTMLInputElement>(`[name=${wrong.field}]`)?.focus();
    else save.mutate(edits);
  };

  const cancel = () => {
    setEdits(NO_EDITS);
    forgetProblems();
    if (before.current) chooseLanguage(before.current);
    before.current = null;
  };

  const failedAt = (place: Field | 'photo' | 'general') => {
    for (const [part, error] of Object.entries(failures)) {
      if (placeOf(part as Part, error) === place) return errorText(error, t);
    }
    return null;
  };
  const errorOf = (field: Field) => {
    if (problem?.field !== field) return failedAt(field);
    return t(`accountPage.${problem.problem}`, {
      fewest: LIMITS.passwordFewest,
      most: field === 'userName' ? LIMITS.userNameCharacters : LIMITS.passwordMost,
    });
  };
  const general = failedAt('general');

  return (
    <form ref={form} onSubmit={submit} className={classes['sheet']} noValidate>
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
            before.current ??= languageView.get();
            chooseLanguage(code);
          }}
        />
        {general && (
          <Alert color="red" variant="light" p="sm">
            {general}
          </Alert>
        )}
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
