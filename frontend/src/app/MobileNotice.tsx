import { Button } from '@mantine/core';
import toast from 'react-hot-toast';
import { useTranslation } from 'react-i18next';

import { HOME_PATH, SAVED_DOCUMENTS_PATH } from '@/shared/paths';
import { useSettings } from '@/shared/settings';
import { LanguageSelect } from '@/shared/ui/LanguageSelect';
import { LegalLinks } from '@/shared/ui/LegalLinks';
import { LinkButton } from '@/shared/ui/LinkButton';
import { DocumentsIcon } from '@/shared/ui/icons';

import classes from './MobileNotice.module.css';

/** Says that the application is for desktops (specification §1), and offers to send the page's URL to one. */
export function MobileNotice() {
  const { t } = useTranslation();
  const { homeUrl, appUrl } = useSettings();

  const sendLink = async () => {
    const { href: url } = window.location;
    try {
      // Some browsers do not have `share`, although its type says so.
      if ('share' in navigator) await navigator.share({ title: t('brand'), url });
      else {
        await (navigator as Navigator).clipboard.writeText(url);
        toast.success(t('mobile.linkCopied'));
      }
    } catch (error) {
      // Closing the share sheet is not a failure.
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
        {/* My documents open on phones, and lead guests to the login. */}
        <LinkButton to={SAVED_DOCUMENTS_PATH} variant="subtle">
          {t('saved.title')}
        </LinkButton>
        <a href={homeUrl ?? HOME_PATH}>{t('mobile.home')}</a>
      </main>
      <footer className={classes['legal']}>
        <LegalLinks />
      </footer>
    </div>
  );
}
