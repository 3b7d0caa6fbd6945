import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

import { chosenCountryStore } from '@/shared/preferences';

import { formatNumber, formattingLocale } from './format';
import { FALLBACK_LANGUAGE, type InterfaceLanguage } from './language';
import { TEXT_LOADERS, type TextPart } from './texts';

/** The parts of the texts that the pages need which were opened so far. */
const wantedParts = new Set<TextPart>(['all']);
/** The files that are loaded or loading, by language and part. */
const filePromises = new Map<string, Promise<void>>();
/** The number of the last choice of a language. An earlier choice that finishes later has no effect. */
let choiceCount = 0;

/** Loads one file once. A file that failed to load is requested again the next time. */
function loadFile(language: InterfaceLanguage, part: TextPart): Promise<void> {
  const key = `${language}/${part}`;
  let filePromise = filePromises.get(key);
  if (!filePromise) {
    filePromise = TEXT_LOADERS[part][language]().then(({ default: texts }) => {
      i18next.addResourceBundle(language, 'translation', texts, true);
    });
    filePromises.set(key, filePromise);
    filePromise.catch(() => filePromises.delete(key));
  }
  return filePromise;
}

/** Loads all wanted parts in a language, including those that become wanted meanwhile. */
async function loadWantedParts(language: InterfaceLanguage): Promise<void> {
  let loadedCount: number;
  do {
    loadedCount = wantedParts.size;
    await Promise.all([...wantedParts].map((part) => loadFile(language, part)));
  } while (loadedCount < wantedParts.size);
}

function currentLanguage(): InterfaceLanguage {
  return i18next.language as InterfaceLanguage;
}

/** Loads the wanted parts in English, for texts that the chosen language does not have. */
function loadFallback(): Promise<void> {
  return loadWantedParts(FALLBACK_LANGUAGE);
}

/**
 * Loads these texts for the current language and for every language chosen later. Resolves when the page that
 * needs them can be shown: in the current language, or in English if that file cannot be loaded.
 */
export async function loadTexts(...names: TextPart[]): Promise<void> {
  names.forEach((name) => wantedParts.add(name));
  // English is also loaded for other languages, without waiting for it.
  const fallback = loadFallback();
  fallback.catch(() => undefined);
  let language: InterfaceLanguage;
  do {
    language = currentLanguage();
    await loadWantedParts(language).catch(() => fallback);
    // The language may have changed while the file was loading.
  } while (language !== currentLanguage());
}

/** Initialises the texts of `language` before the first rendering, so that no other language flashes up. */
export async function startI18n(language: InterfaceLanguage): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: FALLBACK_LANGUAGE,
    fallbackLng: FALLBACK_LANGUAGE,
    resources: {},
    // React escapes all texts itself.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  i18next.services.formatter?.add('number', (value: number, language) =>
    formatNumber(value, formattingLocale(language ?? FALLBACK_LANGUAGE, chosenCountryStore.get())),
  );
  await switchLanguage(language);
  // The language could not be loaded; any language is better than none.
  if (i18next.language !== language) await switchLanguage(FALLBACK_LANGUAGE);
  loadFallback().catch(() => undefined);
}

/**
 * Changes the language as soon as all of its texts that pages need are loaded. Until then, or if one of them cannot
 * be loaded, the previous language stays. If the user chooses several times, the last choice counts.
 */
export async function switchLanguage(language: InterfaceLanguage): Promise<void> {
  choiceCount += 1;
  const choice = choiceCount;
  try {
    await loadWantedParts(language);
  } catch {
    return;
  }
  if (choice === choiceCount) await i18next.changeLanguage(language);
}
