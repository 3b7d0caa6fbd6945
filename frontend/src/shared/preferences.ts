import { isInterfaceLanguage, preferredLanguage, type InterfaceLanguage } from '@/shared/i18n/language';
import { readText, remove, writeText } from '@/shared/storage';
import { createStore } from '@/shared/store';

function storedLanguage(): InterfaceLanguage {
  const stored = readText('languageView');
  if (isInterfaceLanguage(stored)) return stored;
  return preferredLanguage(typeof navigator === 'undefined' ? [] : navigator.languages);
}

/** The language of the interface (`languageView`). */
export const languageView = createStore<InterfaceLanguage>(storedLanguage());
/** The language templates are shown in by default (`languageCode`); null until somebody chooses. */
export const languageCode = createStore<string | null>(readText('languageCode'));
/** The country templates are shown for (`country`, a country's id); null: all. */
export const country = createStore<string | null>(readText('country'));

/** Choosing a language speaks it at once and shows its templates. */
export function chooseLanguage(language: InterfaceLanguage): void {
  writeText('languageView', language);
  writeText('languageCode', language);
  languageCode.set(language);
  languageView.set(language);
}

export function chooseCountry(id: string | null): void {
  if (id) writeText('country', id);
  else remove('country');
  country.set(id);
}
