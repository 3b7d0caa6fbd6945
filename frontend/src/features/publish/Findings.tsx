import { Alert } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

import type { Finding } from '@/api/types';
import en from '@/shared/i18n/locales/en.json';

import classes from './PublishPage.module.css';

type FindingText = Exclude<
  keyof typeof en.findings,
  'place' | 'body' | 'header' | 'footer' | 'footnotes' | 'endnotes' | 'error' | 'warning'
>;

/** Braces are told to the translations as values, for they mark placeholders there. */
const BRACES = { open: '{{', close: '}}' };

function isTranslated(code: string): code is FindingText {
  return Object.hasOwn(en.findings, code);
}

/** The part in words: `word/header2.xml` is a header. */
function partName(part: string, t: TFunction): string {
  const name = part.split('/').at(-1) ?? '';
  for (const kind of ['header', 'footer', 'footnotes', 'endnotes'] as const) {
    if (name.startsWith(kind)) return t(`findings.${kind}`);
  }
  return t('findings.body');
}

/** All that was found in a template, each with its place and the text around it. */
export function Findings({ title, hint, findings }: { title: string; hint?: string; findings: Finding[] }) {
  const { t } = useTranslation();
  const refused = findings.some((finding) => finding.severity === 'error');
  return (
    <Alert color={refused ? 'red' : 'yellow'} variant="light" role="alert" title={title}>
      {hint}
      <ul className={classes['findings']}>
        {findings.map((finding, index) => (
          <li key={index} className={classes['finding']} data-severity={finding.severity}>
            <span>
              {isTranslated(finding.code) ? t(`findings.${finding.code}`, BRACES) : finding.message}
            </span>{' '}
            {finding.part && finding.paragraph != null && (
              <span className={classes['place']}>
                {t('findings.place', { part: partName(finding.part, t), paragraph: finding.paragraph })}
              </span>
            )}
            {finding.context && (
              <code className={classes['context']} dir="auto">
                {finding.context}
              </code>
            )}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
