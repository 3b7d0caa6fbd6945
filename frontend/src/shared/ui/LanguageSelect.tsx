import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import { INTERFACE_LANGUAGES, isInterfaceLanguage, NATIVE_NAMES } from '@/shared/i18n/language';
import { chooseLanguage, interfaceLanguageStore } from '@/shared/preferences';
import { updateSession, useSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';

import { GlobeIcon } from './icons';

/**
 * The choice of the interface language. It is stored and applied at once, and for users also stored in the account.
 */
export function LanguageSelect() {
  const { t } = useTranslation();
  const session = useSession();
  const store = useMutation({
    mutationFn: (language: string) => responseBody(api.PATCH('/api/v1/users/me', { body: { language } })),
    onSuccess: ({ user }) => updateSession(user),
    meta: { failureText: (msg) => t('updateFailed', { msg }) },
  });
  return (
    <Select
      aria-label={t('interfaceLanguage')}
      w={144}
      leftSection={<GlobeIcon />}
      leftSectionPointerEvents="none"
      data={INTERFACE_LANGUAGES.map((code) => ({ value: code, label: NATIVE_NAMES[code] }))}
      value={useStore(interfaceLanguageStore)}
      allowDeselect={false}
      onChange={(code) => {
        if (!isInterfaceLanguage(code)) return;
        chooseLanguage(code);
        if (session) store.mutate(code);
      }}
    />
  );
}
