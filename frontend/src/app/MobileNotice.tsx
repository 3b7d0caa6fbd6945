import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { useSettings } from '@/shared/settings';
import { LanguageSelect } from '@/shared/ui/LanguageSelect';
import { LegalLinks } from '@/shared/ui/LegalLinks';
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

/** The web application is for desktops (specification §1). The way on: this page's address, sent to one. */
export function MobileNotice() {
  const { t } = useTranslation();
  const { homeUrl, appUrl } = useSettings();
  usePageTitle(undefined);

  const sendLink = async () => {
    const { href: url } = window.location;
    try {
      // Not every browser has it, whatever its type says.
      if ('share' in navigator) await navigator.share({ title: t('brand'), url });
      else {
        await (navigator as Navigator).clipboard.writeText(url);
        toast.success(t('mobile.linkCopied'));
      }
    } catch (error) {
      // Closing the sheet of apps is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        toast.error(t('mobile.linkNotSent'));
    }
  };

  return (
    <div className={classes['page']}>
      <header className={classes['bar']}>
        <LanguageSelect />
      </header>
      <main className={classes['notice']}>
        <span className={classes['sign']}>
          <DocumentsIcon size={32} />
        </span>
        <h1>{t('mobile.title')}</h1>
        <p>{appUrl ? t('mobile.textApp') : t('mobile.text')}</p>
        {appUrl && (
          <Button component="a" href={appUrl}>
            {t('mobile.app')}
          </Button>
        )}
        <Button variant={appUrl ? 'default' : 'filled'} onClick={() => void sendLink()}>
          {t('mobile.sendLink')}
        </Button>
        {homeUrl && <a href={homeUrl}>{t('mobile.home')}</a>}
      </main>
      <footer className={classes['legal']}>
        <LegalLinks />
      </footer>
    </div>
  );
}
