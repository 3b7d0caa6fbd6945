import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Sets the tab's title, which screen readers announce when the page changes. */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTranslation();
  const brand = t('brand');
  useEffect(() => {
    document.title = title ? `${title} · ${brand}` : brand;
  }, [title, brand]);
}
