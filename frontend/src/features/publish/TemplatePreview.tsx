import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import type { Template } from '@/api/types';
import { useTemplate } from '@/shared/templates/useTemplate';
import type { useLinkedFields } from '@/shared/fields/useLinkedFields';
import type { FieldValues } from '@/shared/fields/values';
import { formatList } from '@/shared/i18n/format';
import { LivePages } from '@/shared/pages/LivePages';

import { DiagnosticGroups } from './DiagnosticGroups';
import { useBlanks } from './marking/useBlanks';
import classes from './PublishPage.module.css';
import { useAreaTexts } from './templateArea';
import type { CheckResult } from './useTemplateCheck';

interface TemplateProblemsProps {
  checked: CheckResult;
  /** The file that was checked. */
  file: File | null;
}

/** The result of a check: the problems of a template, and its fields. */
export function TemplateProblems({ checked, file }: TemplateProblemsProps) {
  const { t, i18n } = useTranslation();
  const texts = useAreaTexts();
  const section = useRef<HTMLElement>(null);
  const { diagnostics, fields, isConvertible } = checked;
  // A file of another program has no blanks but marks.
  const blanks = useBlanks(checked.program ? null : file);
  const mayHaveBlanks = blanks.isLoading || (blanks.data?.blanks.length ?? 0) > 0;
  const errorCount = diagnostics.filter(({ severity }) => severity === 'error').length;

  // Errors get the focus, because they must be fixed first. The offer of a conversion above them must stay visible.
  useEffect(() => {
    if (errorCount > 0 && !isConvertible) section.current?.focus();
  }, [errorCount, isConvertible, checked]);

  return (
    <section
      ref={section}
      tabIndex={-1}
      className={errorCount > 0 ? classes['refused'] : classes['settings']}
      aria-labelledby="check-title"
    >
      <div role="status">
        <h2 id="check-title">
          {errorCount > 0
            ? texts.refused
            : diagnostics.length > 0
              ? t('publish.warnings')
              : t(mayHaveBlanks ? 'publish.findings' : 'publish.nothingFound')}
        </h2>
      </div>
      {errorCount > 0 && !isConvertible && <p>{t('publish.refusedHint', { count: errorCount })}</p>}
      {errorCount === 0 && fields.length === 0 && (
        <Alert variant="light" title={t('publish.noFields')}>
          {texts.noFieldsHint}
        </Alert>
      )}
      {fields.length > 0 && (
        <p className={classes['found']}>
          <strong>{t('fields', { count: fields.length })}</strong> {formatList(fields, i18n.language)}
        </p>
      )}
      {diagnostics.length > 0 && <DiagnosticGroups diagnostics={diagnostics} />}
    </section>
  );
}

interface TemplatePagesProps {
  checked: CheckResult;
  /** The pages laid out by the server, empty or filled with the preview values. */
  pdf: CheckResult['pdf'];
  /** The preview values; undefined if none are entered. */
  values: FieldValues | undefined;
  pagesProps: ReturnType<typeof useLinkedFields>['pagesProps'];
  /** Called if this browser cannot lay out the pages itself. */
  onUnsupported: () => void;
  title: string;
  lang: string | undefined;
}

/** The pages of a template before it is published, with the values of the test fill. */
export function TemplatePages({
  checked,
  pdf,
  values,
  pagesProps,
  onUnsupported,
  title,
  lang,
}: TemplatePagesProps) {
  return (
    <LivePages
      {...pagesProps}
      showsReviewSwitches
      docx={checked.docx}
      pdf={pdf}
      values={values}
      onUnsupported={onUnsupported}
      title={title}
      lang={lang}
    />
  );
}

/** The pages of the current template while no other file is chosen. */
export function CurrentTemplatePages({ template }: { template: Template }) {
  const { data } = useTemplate(template._id);
  return (
    <LivePages
      showsReviewSwitches
      docx={data?.docx}
      pdf={data?.pdf}
      title={template.title}
      lang={template.language.code}
      country={template.country?._id}
      picture={template.thumbnail}
    />
  );
}
