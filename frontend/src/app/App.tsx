import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { RouterProvider, type RouterProviderProps } from 'react-router/dom';

import { switchLanguage } from '@/shared/i18n/i18n';
import { directionOf } from '@/shared/i18n/language';
import { languageView } from '@/shared/preferences';
import { useDepartures, useSessionEnded } from '@/shared/session/session';
import { useStore } from '@/shared/store';
import { Toasts } from '@/shared/ui/Toasts';

import { Covered } from './Covered';
import { CrashNotice } from './CrashNotice';
import { MobileNotice, useIsMobile } from './MobileNotice';
import { queryClient } from './queryClient';
import { AppRoutes, opensOnPhone } from './routes';
import { cssVariables, theme } from './theme';

const SessionEndedDialog = lazy(() =>
  import('./SessionEndedDialog').then((dialog) => ({ default: dialog.SessionEndedDialog })),
);

/** Applies the chosen language and its direction to the page at once, without a reload. */
function LanguageSwitch({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const chosen = useStore(languageView);

  useEffect(() => {
    void switchLanguage(chosen);
  }, [chosen]);

  useEffect(() => {
    document.documentElement.lang = i18n.language;
    setDirection(directionOf(i18n.language));
  }, [i18n.language, setDirection]);

  return children;
}

/** The screen for any URL. Its routes are in `AppRoutes`. */
export function Screen() {
  const ended = useSessionEnded();
  const mobile = useIsMobile();
  const departures = useDepartures();
  const { pathname } = useLocation();
  return (
    <Covered notice={mobile && !opensOnPhone(pathname) ? <MobileNotice /> : null}>
      <CrashNotice>
        {/* When a user leaves, no screen keeps anything of theirs. */}
        <AppRoutes key={departures} />
        <Suspense fallback={null}>{ended && <SessionEndedDialog />}</Suspense>
      </CrashNotice>
    </Covered>
  );
}

export function App({ router }: Pick<RouterProviderProps, 'router'>) {
  return (
    <DirectionProvider initialDirection={directionOf(languageView.get())} detectDirection={false}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <LanguageSwitch>
            <RouterProvider router={router} />
          </LanguageSwitch>
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}
