import type { TFunction } from 'i18next';

import type { Diagnostic, DiagnosticCode } from '@/api/types';

import type ar from './locales/findings/ar.json';
import type en from './locales/findings/en.json';
import type fr from './locales/findings/fr.json';

type Sentences = Record<DiagnosticCode, string>;

/** Compiles only if every code of the API has its sentence in each language. */
export type Translated = [
  Complete<typeof en.findings>,
  Complete<typeof fr.findings>,
  Complete<typeof ar.findings>,
];
type Complete<Findings extends Sentences> = Findings;

/** Returns the text of a problem by its code. */
export function diagnosticText(diagnostic: Diagnostic, t: TFunction): string {
  // Braces are passed as values, because in a text they would be a placeholder. They are isolated, or Arabic would
  // mirror them.
  return t(`findings.${diagnostic.code}`, { open: '\u2066{{\u2069', close: '\u2066}}\u2069' });
}

const PART_NAMES = [
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

/** Returns the name of a package part as Word's users know it. */
function partName(part: string, t: TFunction): string {
  const name = part.split('/').at(-1) ?? part;
  const match = PART_NAMES.find(([pattern]) => pattern.test(name));
  return t(`findings.${match ? match[1] : 'otherPart'}`);
}

/** Returns the location of a problem, or null if it concerns the whole file. */
export function diagnosticLocation(
  diagnostic: Pick<Diagnostic, 'part' | 'paragraph'>,
  t: TFunction,
): string | null {
  if (!diagnostic.part) return null;
  const part = partName(diagnostic.part, t);
  return diagnostic.paragraph ? t('findings.place', { part, paragraph: diagnostic.paragraph }) : part;
}
