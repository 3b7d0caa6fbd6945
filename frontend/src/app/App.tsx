import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { RouterProvider, type RouterProviderProps } from 'react-router/dom';

import { switchLanguage } from '@/shared/i18n/i18n';
import { directionOf } from '@/shared/i18n/language';
import { interfaceLanguageStore } from '@/shared/preferences';
import { useDepartureCount, useSessionEnded } from '@/shared/session/session';
import { useStore } from '@/shared/store';
import { Toasts } from '@/shared/ui/Toasts';
import { useIsMobile } from '@/shared/ui/useIsMobile';

import { NoticeOverlay } from './NoticeOverlay';
import { PendingNavigation } from './PendingBar';
import { queryClient } from './queryClient';
import { opensOnPhone, usePagePrefetch } from './routes';
import { cssVariables, theme } from './theme';

const SessionEndedDialog = lazy(() =>
  import('./SessionEndedDialog').then((dialog) => ({ default: dialog.SessionEndedDialog })),
);

const MobileNotice = lazy(() =>
  import('./MobileNotice').then((notice) => ({ default: notice.MobileNotice })),
);

/** Applies the chosen language and its direction to the page at once, without a reload. */
function LanguageProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const language = useStore(interfaceLanguageStore);

  useEffect(() => {
    void switchLanguage(language);
  }, [language]);

  useEffect(() => {
    document.documentElement.lang = i18n.language;
    setDirection(directionOf(i18n.language));
  }, [i18n.language, setDirection]);

  return children;
}

/** The frame of all screens, which are the children of its route. */
export function CurrentScreen() {
  const hasSessionEnded = useSessionEnded();
  const isMobile = useIsMobile();
  const departureCount = useDepartureCount();
  const { pathname } = useLocation();
  usePagePrefetch();
  const notice = (
    <Suspense fallback={null}>
      <MobileNotice />
    </Suspense>
  );
  return (
    <NoticeOverlay overlay={isMobile && !opensOnPhone(pathname) ? notice : null}>
      <PendingNavigation />
      {/* When a user leaves, all screens are created again, so that none keeps their data. */}
      <Outlet key={departureCount} />
      <Suspense fallback={null}>{hasSessionEnded && <SessionEndedDialog />}</Suspense>
    </NoticeOverlay>
  );
}

export function App({ router }: Pick<RouterProviderProps, 'router'>) {
  return (
    <DirectionProvider initialDirection={directionOf(interfaceLanguageStore.get())} detectDirection={false}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <LanguageProvider>
            <RouterProvider router={router} />
          </LanguageProvider>
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
