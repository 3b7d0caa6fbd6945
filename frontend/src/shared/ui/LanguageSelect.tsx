import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { INTERFACE_LANGUAGES, isInterfaceLanguage, NATIVE_NAMES } from '@/shared/i18n/language';
import { chooseLanguage, languageView } from '@/shared/preferences';
import { useStore } from '@/shared/store';

import { GlobeIcon } from './icons';

/** The language of the site: stored, and spoken at once. */
export function LanguageSelect() {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('interfaceLanguage')}
      w={144}
      leftSection={<GlobeIcon />}
      leftSectionPointerEvents="none"
      data={INTERFACE_LANGUAGES.map((code) => ({ value: code, label: NATIVE_NAMES[code] }))}
      value={useStore(languageView)}
      allowDeselect={false}
      onChange={(code) => {
        if (isInterfaceLanguage(code)) chooseLanguage(code);
      }}
    />
  );
}
