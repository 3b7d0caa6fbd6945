import type { InterfaceLanguage } from './language';

type TextLoader = () => Promise<{ default: object }>;

/** Loads the texts of one part of the interface, in each language. */
type PartLoaders = Record<InterfaceLanguage, TextLoader>;

/** The texts of the interface by part. Each file is loaded when it is needed. */
export const TEXT_LOADERS = {
  /** The texts that every page may use. */
  all: {
    en: () => import('./locales/en.json'),
    fr: () => import('./locales/fr.json'),
    ar: () => import('./locales/ar.json'),
  },
  /** The texts of problems in Word files, which are many. */
  findings: {
    en: () => import('./locales/findings/en.json'),
    fr: () => import('./locales/findings/fr.json'),
    ar: () => import('./locales/findings/ar.json'),
  },
  /** The texts of forms with many inputs: those of templates and of the account. */
  fields: {
    en: () => import('./locales/fields/en.json'),
    fr: () => import('./locales/fields/fr.json'),
    ar: () => import('./locales/fields/ar.json'),
  },
  /** The texts of pages with a document: its preview, form, result and the saved one. */
  documents: {
    en: () => import('./locales/documents/en.json'),
    fr: () => import('./locales/documents/fr.json'),
    ar: () => import('./locales/documents/ar.json'),
  },
  /** The texts of picture, signature and QR code inputs. */
  pictures: {
    en: () => import('./locales/pictures/en.json'),
    fr: () => import('./locales/pictures/fr.json'),
    ar: () => import('./locales/pictures/ar.json'),
  },
  /** The texts of template management, for admins. */
  templates: {
    en: () => import('./locales/templates/en.json'),
    fr: () => import('./locales/templates/fr.json'),
    ar: () => import('./locales/templates/ar.json'),
  },
  /** The texts about users, messages and the dashboard, for admins. */
  people: {
    en: () => import('./locales/people/en.json'),
    fr: () => import('./locales/people/fr.json'),
    ar: () => import('./locales/people/ar.json'),
  },
} satisfies Record<string, PartLoaders>;

export type TextPart = keyof typeof TEXT_LOADERS;
