import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

import { country } from '@/shared/preferences';

import { formatNumber, formattingLocale } from './format';
import { FALLBACK_LANGUAGE, type InterfaceLanguage } from './language';
import en from './locales/en.json';

/** English is the fallback and comes with the application; the others are fetched when they are chosen. */
const LOADERS: Record<InterfaceLanguage, () => Promise<unknown>> = {
  en: () => Promise.resolve(en),
  fr: () => import('./locales/fr.json').then((module) => module.default),
  ar: () => import('./locales/ar.json').then((module) => module.default),
};

/** Ready to be rendered in `language`, without a flash of another. */
export async function startI18n(language: InterfaceLanguage): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: FALLBACK_LANGUAGE,
    fallbackLng: FALLBACK_LANGUAGE,
    resources: { en: { translation: en } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  i18next.services.formatter?.add('number', (value: number, language) =>
    formatNumber(value, formattingLocale(language ?? FALLBACK_LANGUAGE, country.get())),
  );
  await switchLanguage(language);
}

export async function switchLanguage(language: InterfaceLanguage): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation')) {
    try {
      i18next.addResourceBundle(language, 'translation', await LOADERS[language]());
    } catch {
      // The file could not be fetched: the page stays in the language it is in.
      return;
    }
  }
  await i18next.changeLanguage(language);
}
