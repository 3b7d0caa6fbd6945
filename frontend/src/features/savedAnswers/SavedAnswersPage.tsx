import { Button, CloseButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { showAnswersFailure } from '@/shared/savedAnswers/showAnswersFailure';
import { RememberSwitch } from '@/shared/savedAnswers/RememberSwitch';
import { deleteKeptSignature, useKeptSignature } from '@/shared/savedAnswers/keptSignature';
import { useSavedAnswers, type ListedAnswer } from '@/shared/savedAnswers/useSavedAnswers';
import { formatList } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Failure } from '@/shared/ui/Failure';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './SavedAnswersPage.module.css';

/** The user's saved answers: a list whose entries can be deleted, and a switch. */
export function SavedAnswersPage() {
  const { t } = useTranslation();
  const savedAnswers = useSavedAnswers();
  const errorText = useErrorText();
  const [isConfirming, setConfirming] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  /** The index of the answer that is being deleted. The next one then gets the focus. */
  const deletedIndex = useRef<number | null>(null);
  const { answers, isEnabled, storedIn } = savedAnswers;
  usePageTitle(t('answers.title'));

  useEffect(() => {
    const at = deletedIndex.current;
    if (at === null) return;
    deletedIndex.current = null;
    const buttons = page.current?.querySelectorAll<HTMLElement>('dd button') ?? [];
    (buttons[Math.min(at, buttons.length - 1)] ?? page.current?.querySelector('h1'))?.focus();
  }, [answers.length]);

  const reportFailure = (change: Promise<void>) =>
    change.catch((error: unknown) => {
      deletedIndex.current = null;
      showAnswersFailure(error, t);
    });
  const deleteAnswer = (answer: ListedAnswer, at: number) => {
    deletedIndex.current = at;
    void reportFailure(savedAnswers.deleteAnswer(answer));
  };

  return (
    <div ref={page} className={classes['page']}>
      <h1 tabIndex={-1}>{t('answers.title')}</h1>
      <p className={classes['lead']}>{t('answers.lead')}</p>
      {savedAnswers.error ? (
        <Failure
          title={t('answers.loadFailed')}
          hint={errorText(savedAnswers.error)}
          onRetry={savedAnswers.retry}
        />
      ) : (
        <div className={classes['sheet']}>
          <RememberSwitch savedAnswers={savedAnswers} />
          {isEnabled && answers.length === 0 && <p className={classes['none']}>{t('answers.none')}</p>}
          {isEnabled && answers.length > 0 && (
            <>
              <AnswerGroups answers={answers} onDelete={deleteAnswer} />
              <div className={classes['end']}>
                <Button variant="default" c="var(--harm)" onClick={() => setConfirming(true)}>
                  {t('answers.eraseAll')}
                </Button>
              </div>
            </>
          )}
          {storedIn === 'device' && isEnabled && (
            <p className={classes['none']}>{t('answers.logoutErases')}</p>
          )}
        </div>
      )}
      <KeptSignature />
      <ConfirmDialog
        opened={isConfirming}
        title={t('answers.eraseAllTitle')}
        text={t('answers.eraseAllText', { count: answers.length })}
        confirm={t('answers.eraseAll')}
        cancel={t('cancel')}
        onConfirm={() => {
          setConfirming(false);
          deletedIndex.current = 0;
          void reportFailure(savedAnswers.deleteAllAnswers());
        }}
        onCancel={() => setConfirming(false)}
      />
    </div>
  );
}

/** The signature that this browser keeps, if there is one. */
function KeptSignature() {
  const { t } = useTranslation();
  const signature = useKeptSignature();
  if (!signature) return null;
  return (
    <section className={classes['sheet']} aria-labelledby="kept-signature">
      <h2 id="kept-signature">{t('answers.signature')}</h2>
      <img className={classes['signature']} src={signature.image} alt={t('answers.signaturePicture')} />
      <p className={classes['none']}>{t('answers.signatureHint')}</p>
      <div className={classes['end']}>
        <Button
          variant="default"
          c="var(--harm)"
          onClick={() => {
            deleteKeptSignature();
            document.querySelector<HTMLElement>('h1')?.focus();
          }}
        >
          {t('answers.eraseSignature')}
        </Button>
      </div>
    </section>
  );
}

interface AnswerGroupsProps {
  answers: ListedAnswer[];
  onDelete: (answer: ListedAnswer, index: number) => void;
}

/** The answers grouped by meaning, each group under its heading. */
function AnswerGroups({ answers, onDelete }: AnswerGroupsProps) {
  const { t, i18n } = useTranslation();
  const meanings = [...new Set(answers.map(({ meaning }) => meaning))];
  // The order in which they appear on the page.
  const inPageOrder = meanings.flatMap((meaning) => answers.filter((answer) => answer.meaning === meaning));
  return (
    <dl className={classes['answers']}>
      {meanings.map((meaning) => (
        <div key={meaning}>
          <dt>{t(`answers.meanings.${meaning}`)}</dt>
          {inPageOrder
            .filter((answer) => answer.meaning === meaning)
            .map((answer) => (
              <dd key={answer.id}>
                <span className={classes['value']}>
                  <bdi>{answer.value}</bdi>
                  {answer.parties.length > 0 && (
                    <small>
                      {formatList(
                        answer.parties.map((party) => t(`answers.parties.${party}`)),
                        i18n.language,
                      )}
                    </small>
                  )}
                </span>
                <CloseButton
                  aria-label={t('answers.erase', { value: answer.value })}
                  onClick={() => onDelete(answer, inPageOrder.indexOf(answer))}
                />
              </dd>
            ))}
        </div>
      ))}
    </dl>
  );
}
