import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { saveFile } from '@/shared/files';
import { currentOwner } from '@/shared/personal/owner';
import { lostEntries, retry, trouble } from '@/shared/personal/store';
import { textOf } from '@/shared/personal/text';
import { isSessionKept, useSession } from '@/shared/session/session';
import { useStore } from '@/shared/store';

import classes from './WaitingSaves.module.css';

/** Downloads what the user has typed and this browser cannot keep, as a text file. */
function download(name: string): void {
  // With a byte order mark, because some editors on Windows need one for UTF-8.
  const text = `\ufeff${textOf(lostEntries())}`;
  saveFile(new TextEncoder().encode(text), `${name}.txt`, 'text/plain');
}

/** The notice above every page that this browser cannot keep what is typed, or the session. */
export function StorageNotice() {
  const { t } = useTranslation();
  const session = useSession();
  const why = useStore(trouble);
  const lost = why !== null && lostEntries(currentOwner()).length > 0;

  useEffect(() => {
    if (!lost) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [lost]);

  const shown = lost ? why : session && !isSessionKept() ? 'session' : null;
  if (!shown) return null;
  return (
    <div className={classes['notices']} role="alert">
      <div className={classes['notice']} data-refused>
        <p className={classes['words']}>{t(`storage.${shown}`)}</p>
        {lost && (
          <div className={classes['actions']}>
            <Button size="xs" onClick={() => download(t('storage.fileName'))}>
              {t('storage.download')}
            </Button>
            <Button size="xs" variant="default" onClick={() => void retry()}>
              {t('retry')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
