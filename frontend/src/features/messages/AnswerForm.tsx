import { Button, Checkbox, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { lengthOf } from '@/shared/limits';
import { LIMITS } from '@/shared/settings';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { useCheckedForm } from '@/shared/ui/useCheckedForm';

import classes from './MessagesPage.module.css';

interface AnswerFormProps {
  /** The recipient of the reply. */
  email: string;
  sending: boolean;
  /** `key` is the Idempotency-Key; it stays the same while the text is the same. */
  onSend: (text: string, close: boolean, key: string) => void;
  onCancel: () => void;
}

/** The reply to a message. Leaving an unfinished reply asks for confirmation. */
export function AnswerForm({ email, sending, onSend, onCancel }: AnswerFormProps) {
  const { t } = useTranslation();
  const [close, setClose] = useState(true);
  const key = useRef<string | null>(null);
  const form = useCheckedForm<{ message: string }, 'answerRequired' | 'tooLong'>({
    initialValues: { message: '' },
    check: ({ message }) => {
      if (!message.trim()) return { message: 'answerRequired' };
      return lengthOf(message.trim()) > LIMITS.messageCharacters ? { message: 'tooLong' } : {};
    },
    say: (problem) => (problem === 'tooLong' ? t('errors.message_too_long') : t('messages.answerRequired')),
    onChange: () => {
      key.current = null;
    },
    onSubmit: ({ message }) => {
      key.current ??= crypto.randomUUID();
      onSend(message, close, key.current);
    },
  });
  return (
    <form {...form.element} className={classes['answer']}>
      <LeaveGuard unsaved={() => form.values.message.trim() !== ''} onDiscard={onCancel} />
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
        {...form.input('message')}
      />
      <Checkbox
        label={t('messages.closeAfter')}
        checked={close}
        onChange={(event) => {
          key.current = null;
          setClose(event.currentTarget.checked);
        }}
      />
      <div className={classes['actions']}>
        <Button type="submit" loading={sending}>
          {t('messages.send')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('messages.cancel')}
        </Button>
      </div>
    </form>
  );
}
