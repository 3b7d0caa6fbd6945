import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';

import { Failure } from '@/shared/ui/Failure';

import { isChunkMissing, reloadNewVersion } from './missingChunks';

/**
 * Shows that a page has failed, in place of an empty page. A page whose file is missing after a deployment is loaded
 * again in the new version.
 */
export function PageCrash() {
  const { t } = useTranslation();
  const error = useRouteError();
  const [isReloading, setReloading] = useState(() => isChunkMissing(error));
  useEffect(() => {
    if (isReloading) void reloadNewVersion().then(setReloading);
  }, [isReloading]);
  if (isReloading) return null;
  return (
    <Failure fillsPage title={t('crash.title')} hint={t('crash.hint')}>
      <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
    </Failure>
  );
}
