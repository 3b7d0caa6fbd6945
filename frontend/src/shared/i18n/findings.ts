import type { TFunction } from 'i18next';

import type { Finding } from '@/api/types';

import type en from './locales/en.json';

const CODES = [
  'unclosed_field',
  'nested_field',
  'empty_field',
  'invalid_name',
  'invalid_tag',
  'field_across_paragraphs',
  'stray_close',
  'foreign_syntax',
  'field_not_fillable',
  'external_content',
  'lookalike_names',
  'font_without_metric_twin',
] as const satisfies readonly (keyof typeof en.findings)[];

/** What a finding says: by its code, else the server's own words. */
export function findingText(finding: Finding, t: TFunction): string {
  const code = CODES.find((known) => known === finding.code);
  // Braces are handed in, for in a text of ours they would be a placeholder; and isolated, or Arabic would mirror them.
  return code ? t(`findings.${code}`, { open: '\u2066{{\u2069', close: '\u2066}}\u2069' }) : finding.message;
}

/** A part of the package by what a reader of Word calls it. */
function partName(part: string, t: TFunction): string {
  const name = part.split('/').at(-1) ?? part;
  if (/^document\d*\.xml$/.test(name)) return t('findings.body');
  if (name.startsWith('header')) return t('findings.header');
  if (name.startsWith('footer')) return t('findings.footer');
  if (name.startsWith('footnotes')) return t('findings.footnotes');
  if (name.startsWith('endnotes')) return t('findings.endnotes');
  return part;
}

/** Where it is, or nothing if it is of the whole file. */
export function findingPlace(finding: Finding, t: TFunction): string | null {
  if (!finding.part) return null;
  const part = partName(finding.part, t);
  return finding.paragraph ? t('findings.place', { part, paragraph: finding.paragraph }) : part;
}
