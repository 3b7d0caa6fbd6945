import { useTranslation } from 'react-i18next';

import { HOME_PATH } from '@/shared/paths';
import { Failure } from '@/shared/ui/Failure';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

/** The page of unknown URLs in every area. */
export function NotFound() {
  const { t } = useTranslation();
  usePageTitle(t('notFound.title'));
  return (
    <Failure fillsPage title={t('notFound.title')} hint={t('notFound.hint')}>
      <LinkButton to={HOME_PATH}>{t('preview.toCatalogue')}</LinkButton>
    </Failure>
  );
}
