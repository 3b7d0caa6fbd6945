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

/** The texts of findings are many and seldom seen: they are fetched with the first page that may show some. */
const FINDINGS: Record<InterfaceLanguage, () => Promise<{ default: object }>> = {
  en: () => import('./locales/findings/en.json'),
  fr: () => import('./locales/findings/fr.json'),
  ar: () => import('./locales/findings/ar.json'),
};
let findingsWanted = false;

/** From now on the texts of findings are there, in whichever language is chosen. */
export async function loadFindings(): Promise<void> {
  findingsWanted = true;
  await addFindings(i18next.language as InterfaceLanguage);
}

async function addFindings(language: InterfaceLanguage): Promise<void> {
  const { default: texts } = await FINDINGS[language]();
  i18next.addResourceBundle(language, 'translation', texts, true);
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
    if (findingsWanted) await addFindings(language);
  } catch {
    // The file could not be fetched: the page stays in the language it is in.
    return;
  }
  await i18next.changeLanguage(language);
}
