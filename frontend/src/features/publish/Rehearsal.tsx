import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { Document } from '@/api/types';
import { useDocument } from '@/shared/documents/useDocument';
import type { useLinkedFields } from '@/shared/fields/useLinkedFields';
import { LivePages } from '@/shared/pages/LivePages';

import { Findings } from './Findings';
import classes from './PublishPage.module.css';
import type { Checked } from './useCheck';

interface RehearsalProps {
  seen: Checked;
  /** The pages laid out by the server, empty or filled with the preview values. */
  pdf: Checked['pdf'];
  /** The preview values; undefined if none are entered. */
  values: Record<string, string> | undefined;
  toPages: ReturnType<typeof useLinkedFields>['toPages'];
  /** Called if this browser cannot lay out the pages itself. */
  onUnable: () => void;
  title: string;
  lang: string | undefined;
}

/** The preview of a template before it is published: its problems and its pages. */
export function Rehearsal({ seen, pdf, values, toPages, onUnable, title, lang }: RehearsalProps) {
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  const { findings, fields } = seen;
  const errors = findings.filter(({ severity }) => severity === 'error').length;

  // Errors get the focus, because they must be fixed first.
  useEffect(() => {
    if (errors > 0) section.current?.focus();
  }, [errors, seen]);

  return (
    <>
      <section
        ref={section}
        tabIndex={-1}
        className={errors > 0 ? classes['refused'] : classes['settings']}
        aria-labelledby="check-title"
      >
        <div role="status">
          <h2 id="check-title">
            {errors > 0
              ? t('publish.refused')
              : findings.length > 0
                ? t('publish.warnings')
                : t('publish.nothingFound')}
          </h2>
        </div>
        {errors > 0 && <p>{t('publish.refusedHint', { count: errors })}</p>}
        {errors === 0 && fields.length === 0 && (
          <Alert variant="light" color="yellow" title={t('publish.noFields')}>
            {t('publish.noFieldsHint')}
          </Alert>
        )}
        {findings.length > 0 && <Findings findings={findings} />}
      </section>
      <LivePages
        {...toPages}
        reviews
        docx={seen.docx}
        pdf={pdf}
        values={values}
        onUnable={onUnable}
        title={title}
        lang={lang}
      />
    </>
  );
}

/** The pages of the current template while no other file is chosen. */
export function CurrentPages({ document }: { document: Document }) {
  const { data } = useDocument(document._id);
  return (
    <LivePages
      reviews
      docx={data?.docx}
      pdf={data?.pdf}
      title={document.title}
      lang={document.language.code}
      picture={document.thumbnail}
    />
  );
}
