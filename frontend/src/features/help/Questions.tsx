import { useTranslation } from 'react-i18next';

import { LIMITS } from '@/shared/settings';

import classes from './HelpPage.module.css';

const QUESTIONS = ['account', 'save', 'word', 'kept', 'ownFile'] as const;

/** The questions that people ask most, with their answers. */
export function Questions() {
  const { t } = useTranslation();
  return (
    <section className={classes['questions']} aria-labelledby="questions-title">
      <h2 id="questions-title">{t('helpQuestions.title')}</h2>
      {QUESTIONS.map((question) => (
        <details key={question}>
          <summary>{t(`helpQuestions.${question}`)}</summary>
          <p>{t(`helpQuestions.${question}Answer`, { limit: LIMITS.templateMegabytes })}</p>
        </details>
      ))}
    </section>
  );
}
