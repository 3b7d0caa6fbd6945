export type LegalName = 'terms' | 'privacy';

export interface LegalSection {
  heading: string;
  paragraphs: string[];
}

export type LegalTexts = Record<LegalName, LegalSection[]>;

/** The date of the last change to the meaning of a text. */
export const LAST_CHANGED = new Date('2026-11-27T00:00:00Z');

/** Loaders of the texts by interface language. Each text is loaded when it is opened. */
export const LEGAL_TEXT_LOADERS: Record<string, () => Promise<LegalTexts>> = {
  en: () => import('./en.json').then((module) => module.default),
  fr: () => import('./fr.json').then((module) => module.default),
  ar: () => import('./ar.json').then((module) => module.default),
};
