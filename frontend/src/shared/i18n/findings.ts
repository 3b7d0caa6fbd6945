import type { TFunction } from 'i18next';

import type { Finding, FindingCode } from '@/api/types';

import type ar from './locales/findings/ar.json';
import type en from './locales/findings/en.json';
import type fr from './locales/findings/fr.json';

type Sentences = Record<FindingCode, string>;

/** A code of the API that lacks its sentence in one of the languages does not compile. */
export type Translated = [
  Complete<typeof en.findings>,
  Complete<typeof fr.findings>,
  Complete<typeof ar.findings>,
];
type Complete<Findings extends Sentences> = Findings;

/** What a finding says, by its code. */
export function findingText(finding: Finding, t: TFunction): string {
  // Braces are handed in, for in a text of ours they would be a placeholder; and isolated, or Arabic would mirror them.
  return t(`findings.${finding.code}`, { open: '\u2066{{\u2069', close: '\u2066}}\u2069' });
}

const PARTS = [
  [/^document\d*\.xml$/, 'body'],
  [/^header/, 'header'],
  [/^footer/, 'footer'],
  [/^footnotes/, 'footnotes'],
  [/^endnotes/, 'endnotes'],
  [/^comments/, 'comments'],
  [/^styles/, 'styles'],
  [/^(fontTable|font\d)/, 'fonts'],
  [/^image/, 'picture'],
  [/^chart/, 'chart'],
  [/^(data|drawing)\d/, 'diagram'],
] as const;

/** A part of the package by what a reader of Word calls it. */
function partName(part: string, t: TFunction): string {
  const name = part.split('/').at(-1) ?? part;
  const known = PARTS.find(([pattern]) => pattern.test(name));
  return t(`findings.${known ? known[1] : 'otherPart'}`);
}

/** Where it is, or nothing if it is of the whole file. */
export function findingPlace(finding: Finding, t: TFunction): string | null {
  if (!finding.part) return null;
  const part = partName(finding.part, t);
  return finding.paragraph ? t('findings.place', { part, paragraph: finding.paragraph }) : part;
}
