import { isInterfaceLanguage, preferredLanguage, type InterfaceLanguage } from '@/shared/i18n/language';
import { readText, removeKey, writeText } from '@/shared/storage';
import { createStore } from '@/shared/store';

function storedLanguage(): InterfaceLanguage {
  const stored = readText('languageView');
  if (isInterfaceLanguage(stored)) return stored;
  return preferredLanguage(typeof navigator === 'undefined' ? [] : navigator.languages);
}

/** The language of the interface (`languageView`). */
export const interfaceLanguageStore = createStore<InterfaceLanguage>(storedLanguage());
/** The default language of listed templates (`languageCode`); null until the user chooses one. */
export const templateLanguageStore = createStore<string | null>(readText('languageCode'));
/** The country whose templates are shown (`country`, a country's id); null for all. */
export const chosenCountryStore = createStore<string | null>(readText('country'));

/**
 * Returns the id of the country whose templates come first: the chosen one, or else the region of the browser's first
 * language that has one, for example `JO` of `ar-JO`.
 */
export function visitorCountry(chosen: string | null, languages: readonly string[]): string | null {
  return chosen ?? languages.map(regionOfLanguage).find((region) => region !== undefined) ?? null;
}

function regionOfLanguage(language: string): string | undefined {
  try {
    const { region } = new Intl.Locale(language);
    return region && /^[A-Z]{2}$/.test(region) ? region : undefined;
  } catch {
    return undefined;
  }
}

/** Changes the interface language at once, and shows templates in that language. */
export function chooseLanguage(language: InterfaceLanguage): void {
  writeText('languageView', language);
  writeText('languageCode', language);
  templateLanguageStore.set(language);
  interfaceLanguageStore.set(language);
}

export function chooseCountry(id: string | null): void {
  if (id) writeText('country', id);
  else removeKey('country');
  chosenCountryStore.set(id);
}
