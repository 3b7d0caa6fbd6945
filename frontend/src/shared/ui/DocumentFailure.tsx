import { useTranslation } from 'react-i18next';

import { ApiError } from '@/api/error';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { MY_DOCUMENTS } from '@/shared/saved/paths';

import { Failure } from './Failure';
import { LinkButton } from './LinkButton';

interface DocumentFailureProps {
  error: unknown;
  onRetry: () => void;
  /** True for a saved document, false for a template. */
  saved?: boolean;
  /** The link to another page, in place of the catalogue or the saved documents. */
  elsewhere?: { to: string; label: string };
}

/** The page for a document that could not be loaded or does not exist. */
export function DocumentFailure({ error, onRetry, saved = false, elsewhere }: DocumentFailureProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const missing = error instanceof ApiError && error.status === 404;
  const failed = saved ? t('saved.openFailed') : t('preview.failed');
  const on =
    elsewhere ??
    (saved
      ? { to: MY_DOCUMENTS, label: t('saved.toMine') }
      : { to: '/user-home', label: t('preview.toCatalogue') });
  const missingHint = saved ? t('saved.notFoundHint') : t('preview.notFoundHint');
  return (
    <Failure
      page
      title={missing ? t('preview.notFound') : failed}
      hint={missing ? missingHint : errorText(error)}
      onRetry={missing ? undefined : onRetry}
    >
      <LinkButton to={on.to} variant={missing ? 'filled' : 'default'}>
        {on.label}
      </LinkButton>
    </Failure>
  );
}
