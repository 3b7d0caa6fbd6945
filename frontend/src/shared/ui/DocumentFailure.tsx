import { useTranslation } from 'react-i18next';

import { ApiError } from '@/api/error';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { HOME_PATH, SAVED_DOCUMENTS_PATH } from '@/shared/paths';

import { Failure } from './Failure';
import { LinkButton } from './LinkButton';

interface DocumentFailureProps {
  error: unknown;
  onRetry: () => void;
  /** True for a saved document, false for a template. */
  isSaved?: boolean;
  /** The link to another page, in place of the catalogue or the saved documents. */
  link?: { to: string; label: string };
}

/** The page for a document that could not be loaded or does not exist. */
export function DocumentFailure({ error, onRetry, isSaved = false, link }: DocumentFailureProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const missing = error instanceof ApiError && error.status === 404;
  const failed = isSaved ? t('saved.openFailed') : t('preview.failed');
  const target =
    link ??
    (isSaved
      ? { to: SAVED_DOCUMENTS_PATH, label: t('saved.toMine') }
      : { to: HOME_PATH, label: t('preview.toCatalogue') });
  const missingHint = isSaved ? t('saved.notFoundHint') : t('preview.notFoundHint');
  return (
    <Failure
      fillsPage
      title={missing ? t('preview.notFound') : failed}
      hint={missing ? missingHint : errorText(error)}
      onRetry={missing ? undefined : onRetry}
    >
      <LinkButton to={target.to} variant={missing ? 'filled' : 'default'}>
        {target.label}
      </LinkButton>
    </Failure>
  );
}
