import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { farewellRead, useFarewell } from '@/shared/session/session';

/** What whoever has deleted his account reads where he comes out, until he has closed it. */
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
