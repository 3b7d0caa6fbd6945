import { Button, Checkbox, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { characterCount } from '@/shared/limits';
import { LIMITS } from '@/shared/settings';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import classes from './MessagesPage.module.css';

interface ReplyFormProps {
  /** The recipient of the reply. */
  email: string;
  isSending: boolean;
  /** `key` is the Idempotency-Key; it stays the same while the text is the same. */
  onSend: (text: string, close: boolean, key: string) => void;
  onCancel: () => void;
}

/** The reply to a message. Leaving an unfinished reply asks for confirmation. */
export function ReplyForm({ email, isSending, onSend, onCancel }: ReplyFormProps) {
  const { t } = useTranslation();
  const [closesMessage, setClosesMessage] = useState(true);
  const idempotencyKey = useRef<string | null>(null);
  const form = useCheckedForm<{ message: string }, 'answerRequired' | 'tooLong'>({
    initialValues: { message: '' },
    findProblems: ({ message }) => {
      if (!message.trim()) return { message: 'answerRequired' };
      return characterCount(message.trim()) > LIMITS.messageCharacters ? { message: 'tooLong' } : {};
    },
    problemText: (problem) =>
      problem === 'tooLong' ? t('errors.message_too_long') : t('messages.answerRequired'),
    onChange: () => {
      idempotencyKey.current = null;
    },
    onSubmit: ({ message }) => {
      idempotencyKey.current ??= crypto.randomUUID();
      onSend(message, closesMessage, idempotencyKey.current);
    },
  });
  return (
    <form {...form.formProps} className={classes['answer']}>
      <LeaveGuard hasUnsavedChanges={() => form.values.message.trim() !== ''} onDiscard={onCancel} />
      <Textarea
        label={t('messages.answer')}
        description={t('messages.answerHint', { email: `\u2066${email}\u2069` })}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autosize
        minRows={4}
        maxRows={16}
        dir="auto"
        data-autofocus
        autoFocus
        {...form.inputProps('message')}
      />
      <Checkbox
        label={t('messages.closeAfter')}
        checked={closesMessage}
        onChange={(event) => {
          idempotencyKey.current = null;
          setClosesMessage(event.currentTarget.checked);
        }}
      />
      <div className={classes['actions']}>
        <Button type="submit" loading={isSending}>
          {t('messages.send')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('messages.cancel')}
        </Button>
      </div>
    </form>
  );
}
