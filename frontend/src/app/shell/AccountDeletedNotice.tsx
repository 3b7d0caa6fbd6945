import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { dismissAccountDeleted } from '@/shared/session/session';

/** The notice after the deletion of an account, shown until it is closed. */
export function AccountDeletedNotice() {
  const { t } = useTranslation();
  return (
    <Alert
      variant="light"
      role="status"
      mb="lg"
      title={t('accountDeleted.title')}
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={dismissAccountDeleted}
    >
      {t('accountDeleted.hint')}
    </Alert>
  );
}
