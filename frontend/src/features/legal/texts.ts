export type LegalName = 'terms' | 'privacy';

export interface Section {
  heading: string;
  paragraphs: string[];
}

export type LegalTexts = Record<LegalName, Section[]>;

/** When a text last changed its meaning. */
export const UPDATED = new Date('2026-11-23T00:00:00Z');

/** By the interface's language; each is fetched when it is read. */
export const LOADERS: Record<string, () => Promise<LegalTexts>> = {
  en: () => import('./en.json').then((module) => module.default),
  fr: () => import('./fr.json').then((module) => module.default),
  ar: () => import('./ar.json').then((module) => module.default),
};
