import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

import { country } from '@/shared/preferences';

import { formatNumber, formattingLocale } from './format';
import { FALLBACK_LANGUAGE, type InterfaceLanguage } from './language';

/** The texts of each language are loaded when the language is chosen. */
const LOADERS: Record<InterfaceLanguage, () => Promise<unknown>> = {
  en: () => import('./locales/en.json').then((module) => module.default),
  fr: () => import('./locales/fr.json').then((module) => module.default),
  ar: () => import('./locales/ar.json').then((module) => module.default),
};

/** Texts that only some pages use. They are loaded with the first of these pages. */
const SELDOM = {
  /** The texts of problems in Word files, which are many. */
  findings: {
    en: () => import('./locales/findings/en.json'),
    fr: () => import('./locales/findings/fr.json'),
    ar: () => import('./locales/findings/ar.json'),
  },
  /** The texts of the field inputs. */
  fields: {
    en: () => import('./locales/fields/en.json'),
    fr: () => import('./locales/fields/fr.json'),
    ar: () => import('./locales/fields/ar.json'),
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
} satisfies Record<string, Record<InterfaceLanguage, () => Promise<{ default: object }>>>;
type Seldom = keyof typeof SELDOM;
const wanted = new Set<Seldom>();

/** Loads these texts for the current language and for every language chosen later. */
export async function loadTexts(...names: Seldom[]): Promise<void> {
  names.forEach((name) => wanted.add(name));
  await addWanted(i18next.language as InterfaceLanguage);
}

async function addWanted(language: InterfaceLanguage): Promise<void> {
  const bundles = await Promise.all([...wanted].map((name) => SELDOM[name][language]()));
  for (const { default: texts } of bundles) i18next.addResourceBundle(language, 'translation', texts, true);
}

/** Initialises the texts of `language` before the first rendering, so that no other language flashes up. */
export async function startI18n(language: InterfaceLanguage): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: FALLBACK_LANGUAGE,
    fallbackLng: FALLBACK_LANGUAGE,
    resources: {},
    // React already escapes what it renders.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  i18next.services.formatter?.add('number', (value: number, language) =>
    formatNumber(value, formattingLocale(language ?? FALLBACK_LANGUAGE, country.get())),
  );
  await switchLanguage(language);
  // The language could not be loaded; any language is better than none.
  if (i18next.language !== language) await switchLanguage(FALLBACK_LANGUAGE);
}

export async function switchLanguage(language: InterfaceLanguage): Promise<void> {
  try {
    if (!i18next.hasResourceBundle(language, 'translation'))
      i18next.addResourceBundle(language, 'translation', await LOADERS[language]());
    await addWanted(language);
  } catch {
    // The file could not be loaded: the page keeps its language.
    return;
  }
  await i18next.changeLanguage(language);
}
