import { Button, CloseButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { sayFailure } from '@/shared/answers/failure';
import { RememberSwitch } from '@/shared/answers/RememberSwitch';
import { useKnownAnswers, type ListedAnswer } from '@/shared/answers/useKnownAnswers';
import { listFormat } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './AnswersPage.module.css';

/** The user's saved answers: a list to erase from, and a switch. */
export function AnswersPage() {
  const { t } = useTranslation();
  const known = useKnownAnswers();
  const explain = useErrorText();
  const [asking, setAsking] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  /** The index of the answer that is being erased. The next one then gets the focus. */
  const erasing = useRef<number | null>(null);
  const { answers, on, place } = known;
  usePageTitle(t('answers.title'));

  useEffect(() => {
    const at = erasing.current;
    if (at === null) return;
    erasing.current = null;
    const left = page.current?.querySelectorAll<HTMLElement>('dd button') ?? [];
    (left[Math.min(at, left.length - 1)] ?? page.current?.querySelector('h1'))?.focus();
  }, [answers.length]);

  const attempt = (change: Promise<void>) =>
    change.catch((error: unknown) => {
      erasing.current = null;
      sayFailure(error, t);
    });
  const erase = (answer: ListedAnswer, at: number) => {
    erasing.current = at;
    void attempt(known.erase(answer));
  };

  return (
    <div ref={page} className={classes['page']}>
      <h1 tabIndex={-1}>{t('answers.title')}</h1>
      <p className={classes['lead']}>{t('answers.lead')}</p>
      {known.error ? (
        <Failure title={t('answers.loadFailed')} hint={explain(known.error)} onRetry={known.retry} />
      ) : (
        <div className={classes['sheet']}>
          <RememberSwitch known={known} />
          {on && answers.length === 0 && <p className={classes['none']}>{t('answers.none')}</p>}
          {on && answers.length > 0 && (
            <>
              <Listed answers={answers} onErase={erase} />
              <div className={classes['end']}>
                <Button variant="default" c="var(--harm)" onClick={() => setAsking(true)}>
                  {t('answers.eraseAll')}
                </Button>
              </div>
            </>
          )}
          {place === 'device' && on && <p className={classes['none']}>{t('answers.logoutErases')}</p>}
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={t('answers.eraseAllTitle')}
        text={t('answers.eraseAllText', { count: answers.length })}
        confirm={t('answers.eraseAll')}
        cancel={t('cancel')}
        onConfirm={() => {
          setAsking(false);
          erasing.current = 0;
          void attempt(known.eraseAll());
        }}
        onCancel={() => setAsking(false)}
      />
    </div>
  );
}

interface ListedProps {
  answers: ListedAnswer[];
  onErase: (answer: ListedAnswer, place: number) => void;
}

/** The answers grouped by meaning, each group under its heading. */
function Listed({ answers, onErase }: ListedProps) {
  const { t, i18n } = useTranslation();
  const meanings = [...new Set(answers.map(({ meaning }) => meaning))];
  // The order in which they appear on the page.
  const inOrder = meanings.flatMap((meaning) => answers.filter((answer) => answer.meaning === meaning));
  return (
    <dl className={classes['answers']}>
      {meanings.map((meaning) => (
        <div key={meaning}>
          <dt>{t(`answers.meanings.${meaning}`)}</dt>
          {inOrder
            .filter((answer) => answer.meaning === meaning)
            .map((answer) => (
              <dd key={answer.id}>
                <span className={classes['value']}>
                  <bdi>{answer.value}</bdi>
                  {answer.parties.length > 0 && (
                    <small>
                      {listFormat(
                        answer.parties.map((party) => t(`answers.parties.${party}`)),
                        i18n.language,
                      )}
                    </small>
                  )}
                </span>
                <CloseButton
                  aria-label={t('answers.erase', { value: answer.value })}
                  onClick={() => onErase(answer, inOrder.indexOf(answer))}
                />
              </dd>
            ))}
        </div>
      ))}
    </dl>
  );
}
