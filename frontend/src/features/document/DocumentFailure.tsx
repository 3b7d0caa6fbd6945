import { useTranslation } from 'react-i18next';

import { ApiError } from '@/api/error';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { Failure } from '@/shared/ui/Failure';
import { LinkButton } from '@/shared/ui/LinkButton';

/** A template that could not be loaded, or that there is none of (any more). */
export function DocumentFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <Failure
      page
      title={missing ? t('preview.notFound') : t('preview.failed')}
      hint={missing ? t('preview.notFoundHint') : errorText(error)}
      onRetry={missing ? undefined : onRetry}
    >
      <LinkButton to="/user-home" variant={missing ? 'filled' : 'default'}>
        {t('preview.toCatalogue')}
      </LinkButton>
    </Failure>
  );
}
