import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';

import { useSettings } from '@/shared/settings';
import { usePageTitle } from '@/shared/ui/usePageTitle';
import { DocumentsIcon } from '@/shared/ui/icons';

import classes from './MobileNotice.module.css';

/** A finger and a narrow screen together: a desktop at 400 % zoom is narrow too, but has a mouse. */
export function useIsMobile(): boolean {
  return (
    useMediaQuery('(pointer: coarse) and (max-width: 48em)', undefined, { getInitialValueInEffect: false }) ??
    false
  );
}

/** The web application is for desktops (specification §1). */
export function MobileNotice() {
  const { t } = useTranslation();
  const { homeUrl, appUrl } = useSettings();
  usePageTitle(undefined);
  return (
    <main className={classes['notice']}>
      <span className={classes['sign']}>
        <DocumentsIcon size={32} />
      </span>
      <h1>{t('mobile.title')}</h1>
      <p>{appUrl ? t('mobile.textApp') : t('mobile.text')}</p>
      {appUrl && <a href={appUrl}>{t('mobile.app')}</a>}
      {homeUrl && <a href={homeUrl}>{t('mobile.home')}</a>}
    </main>
  );
}
