import { Burger, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigate, useNavigationType } from 'react-router';

import { LOGIN_PATH, REGISTER_PATH } from '@/shared/paths';
import { currentSession, useAccountDeleted, useSession } from '@/shared/session/session';
import { storeReturnUrl } from '@/shared/session/returnUrl';
import { Brand } from '@/shared/ui/Brand';
import { CountrySelect } from '@/shared/ui/CountrySelect';
import { LanguageSelect } from '@/shared/ui/LanguageSelect';
import { LegalLinks } from '@/shared/ui/LegalLinks';
import { LoginIcon } from '@/shared/ui/icons';

import classes from './Shell.module.css';
import { useSavedToasts } from './useSavedToasts';

// Loaded after the first page, because nothing can be typed before.
const StorageNotice = lazy(() => import('./StorageNotice').then((part) => ({ default: part.StorageNotice })));
// Loaded on demand, because guests save nothing and the catalogue must load quickly for them.
const WaitingSaves = lazy(() =>
  import('./PendingSavesNotice').then((part) => ({ default: part.PendingSavesNotice })),
);

/** The pages where the country selects templates. The account page has its own choice of a country. */
const COUNTRY_PATHS = /^\/user-home(?!\/user-account-setting)/;

const AccountDeletedNotice = lazy(() =>
  import('./AccountDeletedNotice').then((part) => ({ default: part.AccountDeletedNotice })),
);
const ThemeSelect = lazy(() =>
  import('@/shared/ui/ThemeSelect').then((part) => ({ default: part.ThemeSelect })),
);
// Guests have no menu, and the catalogue must load quickly for them.
const importSidebar = () => import('./Sidebar');
if (currentSession()) importSidebar().catch(() => undefined);
const Sidebar = lazy(() => importSidebar().then((part) => ({ default: part.Sidebar })));

/** Scrolls a new page to its top and focuses it. On going back, the browser restores the position. */
function useScrollToTop(main: React.RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    main.current?.focus({ preventScroll: true });
    if (type !== 'POP') window.scrollTo(0, 0);
  }, [pathname, type, main]);
}

/** The frame of every screen: the bar at the top, the menu for logged-in users, and the page. */
export function Shell() {
  const { t } = useTranslation();
  const session = useSession();
  const accountDeleted = useAccountDeleted();
  const navigate = useNavigate();
  const location = useLocation();
  const main = useRef<HTMLElement>(null);
  const [menuOpen, menu] = useDisclosure(false);
  useScrollToTop(main);
  useSavedToasts();

  /** Navigates to a page that leads back to this one. */
  const openAndReturn = (path: string) => {
    storeReturnUrl(location.pathname + location.search);
    void navigate(path);
  };

  return (
    <div className={classes['shell']} data-menu={session ? true : undefined}>
      <a href="#content" className={classes['skip']}>
        {t('skipToContent')}
      </a>
      <header className={classes['bar']}>
        {session && (
          <Burger
            className={classes['burger']}
            opened={menuOpen}
            onClick={menu.toggle}
            size="sm"
            aria-label={t('menu')}
            aria-expanded={menuOpen}
          />
        )}
        <Brand />
        <div className={classes['choices']}>
          {COUNTRY_PATHS.test(location.pathname) && <CountrySelect />}
          <LanguageSelect />
          {!session && (
            <>
              <Button variant="default" onClick={() => openAndReturn(REGISTER_PATH)}>
                {t('register')}
              </Button>
              <Button leftSection={<LoginIcon />} onClick={() => openAndReturn(LOGIN_PATH)}>
                {t('login')}
              </Button>
            </>
          )}
        </div>
      </header>
      <Suspense fallback={null}>
        {session && <Sidebar session={session} open={menuOpen} onNavigate={menu.close} />}
      </Suspense>
      <div className={classes['content']}>
        <main id="content" ref={main} tabIndex={-1} className={classes['page']}>
          <Suspense fallback={null}>{accountDeleted && <AccountDeletedNotice />}</Suspense>
          <Suspense fallback={null}>
            <StorageNotice />
          </Suspense>
          <Suspense fallback={null}>{session && <WaitingSaves />}</Suspense>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </main>
        <footer className={classes['foot']}>
          <LegalLinks help />
          <Suspense fallback={null}>
            <ThemeSelect />
          </Suspense>
        </footer>
      </div>
    </div>
  );
}
