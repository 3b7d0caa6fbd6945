import { useTranslation } from 'react-i18next';

import { chosenCountryStore } from '@/shared/preferences';
import { useStore } from '@/shared/store';

import { formattingLocale } from './format';

/** Returns the current locale of numbers and dates. */
export function useFormattingLocale(): string {
  const { i18n } = useTranslation();
  return formattingLocale(i18n.language, useStore(chosenCountryStore));
}
