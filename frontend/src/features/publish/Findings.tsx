import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { FileResponse, Finding } from '@/api/types';
import { FindingList } from '@/shared/ui/FindingList';
import { LinkButton } from '@/shared/ui/LinkButton';

import classes from './PublishPage.module.css';

/** Why a template was refused: everything that was found, so that one round in Word mends it. */
export function Refused({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  useEffect(() => {
    section.current?.focus();
  }, []);
  return (
    <section ref={section} tabIndex={-1} className={classes['refused']} aria-labelledby="refused-title">
      <h2 id="refused-title">{t('publish.refused')}</h2>
      <p>{t('publish.refusedHint', { count: errors })}</p>
      <FindingList findings={findings} />
    </section>
  );
}

/** Published, but something in the file is worth a look. */
export function Published({ answer, catalogue }: { answer: FileResponse; catalogue: string }) {
  const { t } = useTranslation();
  return (
    <section className={classes['published']} aria-labelledby="published-title">
      <h1 id="published-title">{t('publish.publishedWithWarnings')}</h1>
      <p>
        <bdi>{answer.document.title}</bdi>
      </p>
      <h2>{t('publish.warnings')}</h2>
      <FindingList findings={answer.findings} />
      <div className={classes['next']}>
        <LinkButton to={catalogue}>{t('preview.toCatalogue')}</LinkButton>
      </div>
    </section>
  );
}
