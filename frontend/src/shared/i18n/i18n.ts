import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

import { country } from '@/shared/preferences';

import { formatNumber, formattingLocale } from './format';
import { FALLBACK_LANGUAGE, type InterfaceLanguage } from './language';

/** Each is fetched when it is spoken: nobody waits for texts of another language. */
const LOADERS: Record<InterfaceLanguage, () => Promise<unknown>> = {
  en: () => import('./locales/en.json').then((module) => module.default),
  fr: () => import('./locales/fr.json').then((module) => module.default),
  ar: () => import('./locales/ar.json').then((module) => module.default),
};

/** Texts that only some pages show: they are fetched with the first of these. */
const SELDOM = {
  /** Of findings, which are many. */
  findings: {
    en: () => import('./locales/findings/en.json'),
    fr: () => import('./locales/findings/fr.json'),
    ar: () => import('./locales/findings/ar.json'),
  },
  /** Of inputs that help. */
  fields: {
    en: () => import('./locales/fields/en.json'),
    fr: () => import('./locales/fields/fr.json'),
    ar: () => import('./locales/fields/ar.json'),
  },
  /** Of looking after templates, which admins do. */
  templates: {
    en: () => import('./locales/templates/en.json'),
    fr: () => import('./locales/templates/fr.json'),
    ar: () => import('./locales/templates/ar.json'),
  },
  /** Of users, their messages and the numbers, which admins see. */
  people: {
    en: () => import('./locales/people/en.json'),
    fr: () => import('./locales/people/fr.json'),
    ar: () => import('./locales/people/ar.json'),
  },
} satisfies Record<string, Record<InterfaceLanguage, () => Promise<{ default: object }>>>;
type Seldom = keyof typeof SELDOM;
const wanted = new Set<Seldom>();

/** From now on these texts are there, in whichever language is chosen. */
export async function loadTexts(...names: Seldom[]): Promise<void> {
  names.forEach((name) => wanted.add(name));
  await addWanted(i18next.language as InterfaceLanguage);
}

async function addWanted(language: InterfaceLanguage): Promise<void> {
  const bundles = await Promise.all([...wanted].map((name) => SELDOM[name][language]()));
  for (const { default: texts } of bundles) i18next.addResourceBundle(language, 'translation', texts, true);
}

/** Ready to be rendered in `language`, without a flash of another. */
export async function startI18n(language: InterfaceLanguage): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: FALLBACK_LANGUAGE,
    fallbackLng: FALLBACK_LANGUAGE,
    resources: {},
    // React escapes what it renders.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  i18next.services.formatter?.add('number', (value: number, language) =>
    formatNumber(value, formattingLocale(language ?? FALLBACK_LANGUAGE, country.get())),
  );
  await switchLanguage(language);
  // It could not be fetched: any language is better than none.
  if (i18next.language !== language) await switchLanguage(FALLBACK_LANGUAGE);
}

export async function switchLanguage(language: InterfaceLanguage): Promise<void> {
  try {
    if (!i18next.hasResourceBundle(language, 'translation'))
      i18next.addResourceBundle(language, 'translation', await LOADERS[language]());
    await addWanted(language);
  } catch {
    // The file could not be fetched: the page stays in the language it is in.
    return;
  }
  await i18next.changeLanguage(language);
}
