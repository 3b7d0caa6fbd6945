import { useTranslation } from 'react-i18next';

import { country } from '@/shared/preferences';
import { useStore } from '@/shared/store';

import { formattingLocale } from './format';

/** The locale numbers and dates are written in now. */
export function useFormattingLocale(): string {
  const { i18n } = useTranslation();
  return formattingLocale(i18n.language, useStore(country));
}
