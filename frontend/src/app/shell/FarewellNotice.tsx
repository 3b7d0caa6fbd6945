import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { farewellRead, useFarewell } from '@/shared/session/session';

/** The notice after the deletion of an account, shown until it is closed. */
export function FarewellNotice() {
  const { t } = useTranslation();
  if (!useFarewell()) return null;
  return (
    <Alert
      variant="light"
      role="status"
      mb="lg"
      title={t('ownData.deleted')}
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={farewellRead}
    >
      {t('ownData.deletedHint')}
    </Alert>
  );
}
