import '@fontsource/ibm-plex-sans/latin-400.css';
import '@fontsource/ibm-plex-sans/latin-600.css';
import '@fontsource/ibm-plex-sans-arabic/arabic-400.css';
import '@fontsource/ibm-plex-sans-arabic/arabic-600.css';
import './mantineStyles';
import './styles.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';

import { connectClient, endServerSession } from '@/api/client';
import { prefetchCatalogue, redirectToCatalogue } from '@/features/catalogue/useCatalogue';
import { startI18n } from '@/shared/i18n/i18n';
import { handleOwnerChanges } from '@/shared/personal/ownerChanges';
import { openStore } from '@/shared/personal/store';
import { interfaceLanguageStore } from '@/shared/preferences';
import {
  currentSession,
  followOtherTabs,
  markSessionEnded,
  onLogout,
  renewToken,
} from '@/shared/session/session';
import { hasLegacyKeys } from '@/shared/storage';

import { App, CurrentScreen } from './App';
import { watchMissingChunks } from './missingChunks';
import { PageCrash } from './PageCrash';
import { queryClient } from './queryClient';
import { SCREENS } from './routes';

connectClient({
  getToken: () => currentSession()?.token ?? null,
  getLanguage: interfaceLanguageStore.get,
  getUserId: () => currentSession()?.user._id ?? null,
  onRenewedToken: renewToken,
  onSessionEnded: markSessionEnded,
});
onLogout(({ token }) => {
  if (token) void endServerSession(token);
});
watchMissingChunks();
followOtherTabs();
handleOwnerChanges();

/** Takes over the data that an earlier version has stored. Most visitors have none. */
async function migrateLegacyData(): Promise<void> {
  if (!hasLegacyKeys()) return;
  const { migrateLegacyKeys } = await import('@/shared/personal/legacyKeys');
  await migrateLegacyKeys();
}

redirectToCatalogue();
prefetchCatalogue(queryClient, window.location);
await Promise.all([
  startI18n(interfaceLanguageStore.get()),
  openStore()
    .then(migrateLegacyData)
    .catch(() => undefined),
]);
const root = document.getElementById('root');
if (root) {
  const router = createBrowserRouter([
    { element: <CurrentScreen />, errorElement: <PageCrash />, children: SCREENS },
  ]);
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  );
}
