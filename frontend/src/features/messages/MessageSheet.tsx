import { Badge, Button } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { SupportMessage } from '@/api/types';
import { formatDate } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { isInterfaceLanguage, NATIVE_NAMES } from '@/shared/i18n/language';

import { ReplyForm } from './ReplyForm';
import classes from './MessagesPage.module.css';
import { useMessageActions } from './useMessages';

interface MessageSheetProps {
  message: SupportMessage;
  /** Called when the message leaves this list. */
  onLeaveList: () => void;
}

/** A message with its reply and its actions. */
export function MessageSheet({ message, onLeaveList }: MessageSheetProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const heading = useId();
  const [isReplying, setReplying] = useState(false);
  const { reply, setStatus } = useMessageActions(message, onLeaveList);
  const { language } = message;
  return (
    <article className={classes['message']} aria-labelledby={heading}>
      <header className={classes['head']}>
        <h2 id={heading}>
          <span dir="ltr">{message.email}</span>
        </h2>
        {!message.userId && <Badge color="gray">{t('messages.guest')}</Badge>}
        <span className={classes['when']}>
          {formatDate(message.createdAt, locale)}
          {isInterfaceLanguage(language) && (
            <> · {t('messages.writesIn', { language: `\u2068${NATIVE_NAMES[language]}\u2069` })}</>
          )}
        </span>
      </header>
      <p className={classes['text']} dir="auto">
        {message.message}
      </p>
      {message.answers.length > 0 && (
        <ul aria-label={t('messages.answers')} className={classes['answers']}>
          {message.answers.map(({ message: text, answeredAt }) => (
            <li key={answeredAt}>
              <p className={classes['when']}>
                {t('messages.answeredOn', { date: formatDate(answeredAt, locale) })}
              </p>
              <p className={classes['text']} dir="auto">
                {text}
              </p>
            </li>
          ))}
        </ul>
      )}
      {isReplying ? (
        <ReplyForm
          email={message.email}
          isSending={reply.isPending}
          onSend={(text, close, key) =>
            reply.mutate({ text, close, key }, { onSuccess: () => setReplying(false) })
          }
          onCancel={() => setReplying(false)}
        />
      ) : (
        <div className={classes['actions']}>
          <Button variant="default" onClick={() => setReplying(true)}>
            {t('messages.answer')}
          </Button>
          <Button
            variant="default"
            loading={setStatus.isPending}
            onClick={() => setStatus.mutate(message.status === 'open' ? 'closed' : 'open')}
          >
            {message.status === 'open' ? t('messages.close') : t('messages.reopen')}
          </Button>
        </div>
      )}
    </article>
  );
}
