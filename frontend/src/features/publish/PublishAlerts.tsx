import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useErrorText } from '@/shared/i18n/useErrorText';

interface PublishAlertsProps {
  /** The error of the last attempt to publish; null if there is none. */
  error: Error | null;
  /** True if required input is missing. */
  isIncomplete: boolean;
  /** True for the edit of a template, false for a new one. */
  isEdit: boolean;
}

/** The reasons why a template was not published, above the button. */
export function PublishAlerts({ error, isIncomplete, isEdit }: PublishAlertsProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <>
      {error && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={isEdit ? t('publish.documentUpdateFailed') : t('publish.documentCreationFailed')}
        >
          {errorText(error)}
        </Alert>
      )}
      {isIncomplete && (
        <Alert color="red" variant="light" role="alert" p="sm">
          {isEdit ? t('publish.titleMissing') : t('publish.fillall')}
        </Alert>
      )}
    </>
  );
}
