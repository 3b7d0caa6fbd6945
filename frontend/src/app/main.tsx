import '@fontsource/ibm-plex-sans/latin-400.css';
import '@fontsource/ibm-plex-sans/latin-600.css';
import '@fontsource/ibm-plex-sans-arabic/arabic-400.css';
import '@fontsource/ibm-plex-sans-arabic/arabic-600.css';
import './mantineStyles';
import './styles.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';

import { connectClient } from '@/api/client';
import { fetchAhead, leadToCatalogue } from '@/features/catalogue/useCatalogue';
import { startI18n } from '@/shared/i18n/i18n';
import { followIdentity } from '@/shared/personal/identity';
import { openStore } from '@/shared/personal/store';
import { languageView } from '@/shared/preferences';
import { currentSession, followOtherTabs, markSessionEnded, renewToken } from '@/shared/session/session';
import { hasOldKeys } from '@/shared/storage';

import { App, Screen } from './App';
import { queryClient } from './queryClient';

connectClient({
  token: () => currentSession()?.token ?? null,
  language: languageView.get,
  user: () => currentSession()?.user._id ?? null,
  onRenewedToken: renewToken,
  onSessionEnded: markSessionEnded,
});
followOtherTabs();
followIdentity();

/** Takes over the data of an earlier version, of which most visitors have none. */
async function moveOldData(): Promise<void> {
  if (!hasOldKeys()) return;
  const { moveOldKeys } = await import('@/shared/personal/oldKeys');
  await moveOldKeys();
}

leadToCatalogue();
fetchAhead(queryClient, window.location);
await Promise.all([
  startI18n(languageView.get()),
  openStore()
    .then(moveOldData)
    .catch(() => undefined),
]);
const root = document.getElementById('root');
if (root) {
  // `Screen` defines the routes. A data router is needed to ask before a page is left.
  const router = createBrowserRouter([{ path: '*', element: <Screen /> }]);
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  );
}
