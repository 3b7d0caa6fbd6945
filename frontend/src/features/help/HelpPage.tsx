import { Button, TextInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import { ApiError, hasSessionEnded } from '@/api/error';
import { errorText } from '@/shared/i18n/errors';
import { loadTexts } from '@/shared/i18n/i18n';
import { currentOwner } from '@/shared/personal/owner';
import { useSession } from '@/shared/session/session';
import { LIMITS } from '@/shared/settings';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';
import { useEmailHint } from '@/shared/ui/useEmailHint';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './HelpPage.module.css';
import { readHelpDraft, writeHelpDraft } from './draft';
import {
  failedField,
  messageLength,
  messageProblems,
  type HelpMessage,
  type MessageProblem,
} from './message';

// Loaded with its texts, after the form.
const Questions = lazy(() =>
  Promise.all([import('./Questions'), loadTexts('fields')]).then(([part]) => ({ default: part.Questions })),
);

/** The help center: answers to frequent questions, and a message to the support, which replies by mail. */
export function HelpPage() {
  const { t } = useTranslation();
  const user = useSession()?.user;
  usePageTitle(t('helpCenter'));
  return (
    <div className={classes['page']}>
      <h1>{t('helpCenter')}</h1>
      <p className={classes['lead']}>{t('helpPage.lead')}</p>
      {/* A change of the address creates a new form. Users who log in keep the text through its draft. */}
      <HelpForm key={user?._id ?? 'guest'} ownAddress={user?.email} />
      <Suspense>
        <Questions />
      </Suspense>
    </div>
  );
}

function HelpForm({ ownAddress }: { ownAddress: string | undefined }) {
  const { t } = useTranslation();
  const isGuest = ownAddress === undefined;
  const [owner] = useState(currentOwner);
  const [storedDraft] = useState(readHelpDraft);
  /** The idempotency key of the last attempt. A changed message gets a new key. */
  const idempotencyKey = useRef(storedDraft.sending);
  const textarea = useRef<HTMLTextAreaElement>(null);

  const send = useMutation({
    mutationFn: (message: HelpMessage) => {
      idempotencyKey.current ??= crypto.randomUUID();
      writeHelpDraft({ ...message, sending: idempotencyKey.current }, owner);
      return responseBody(
        api.POST('/api/v1/support-messages', {
          params: { header: { 'Idempotency-Key': idempotencyKey.current } },
          body: isGuest ? { ...message, email: message.email.trim() } : { message: message.message },
        }),
      );
    },
    onSuccess: () => {
      idempotencyKey.current = null;
      form.change({ message: '' });
      toast.success(t('helpPage.supportmessage'));
      textarea.current?.focus();
    },
    onError: (error) => {
      if (failedField(error)) form.focusFirstInvalid();
      else if (!hasSessionEnded(error)) toast.error(failureText(error));
    },
  });

  const form = useCheckedForm<HelpMessage, MessageProblem>({
    initialValues: { email: storedDraft.email, message: storedDraft.message },
    findProblems: (values) => messageProblems(values, isGuest),
    problemText: (problem, _, { message }) =>
      t(`helpPage.${problem}`, { limit: LIMITS.messageCharacters, length: messageLength(message) }),
    onChange: () => {
      idempotencyKey.current = null;
      if (send.error) send.reset();
    },
    onSubmit: (values) => send.mutate(values),
  });
  const { values } = form;
  const { emailHint, onEmailFocus, onEmailBlur } = useEmailHint(values.email);

  // Stored at once: a logout clears the draft, and no later write may restore it.
  useEffect(() => writeHelpDraft({ ...values, sending: idempotencyKey.current }, owner), [values, owner]);

  /** Returns the error's own text for a rate limit, and a common text for all other errors. */
  const failureText = (error: unknown) =>
    error instanceof ApiError && error.status === 429 ? errorText(error, t) : t('helpPage.failed');
  const errorOf = (field: keyof HelpMessage) =>
    form.errorOf(field) ??
    (send.error && failedField(send.error) === field ? errorText(send.error, t) : null);
  const length = messageLength(values.message);

  return (
    <form {...form.formProps} className={classes['sheet']}>
      {isGuest ? (
        <TextInput
          label={t('loginPage.email')}
          description={emailHint ?? t('helpPage.emailHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="email"
          autoComplete="email"
          dir="ltr"
          {...form.inputProps('email')}
          error={errorOf('email')}
          onFocus={onEmailFocus}
          onBlur={onEmailBlur}
        />
      ) : (
        <TextInput
          label={t('loginPage.email')}
          description={t('helpPage.emailHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="email"
          name="email"
          dir="ltr"
          readOnly
          value={ownAddress}
        />
      )}
      <Textarea
        ref={textarea}
        label={t('helpPage.message')}
        description={
          <span className={classes['counter']} data-too-long={length > LIMITS.messageCharacters || undefined}>
            {t('helpPage.counter', { length, limit: LIMITS.messageCharacters })}
          </span>
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autosize
        minRows={8}
        maxRows={20}
        dir="auto"
        {...form.inputProps('message')}
        error={errorOf('message')}
      />
      <div className={classes['end']}>
        <Button type="submit" loading={send.isPending}>
          {t('helpPage.send')}
        </Button>
      </div>
    </form>
  );
}
