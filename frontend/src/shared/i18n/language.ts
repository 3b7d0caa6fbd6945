/** The languages of the interface (specification §9). */
export const INTERFACE_LANGUAGES = ['en', 'fr', 'ar'] as const;
export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number];
export const FALLBACK_LANGUAGE: InterfaceLanguage = 'en';

/** The languages in their own words, so that users find theirs in a language that they cannot read. */
export const NATIVE_NAMES: Record<InterfaceLanguage, string> = {
  en: 'English',
  fr: 'Français',
  ar: 'العربية',
};

export function isInterfaceLanguage(code: string | null | undefined): code is InterfaceLanguage {
  return INTERFACE_LANGUAGES.some((language) => language === code);
}

/** Returns the first of a browser's languages that the interface has: `fr-CA` becomes `fr`. */
export function preferredLanguage(accepted: readonly string[]): InterfaceLanguage {
  for (const tag of accepted) {
    const code = tag.toLowerCase().split('-')[0];
    if (isInterfaceLanguage(code)) return code;
  }
  return FALLBACK_LANGUAGE;
}

export function directionOf(code: string): 'ltr' | 'rtl' {
  return ['ar', 'he', 'fa', 'ur'].includes(code.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr';
}
