import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { saveFile } from '@/shared/files';
import { currentOwner } from '@/shared/personal/owner';
import { unstoredEntries, retryStoring, storageProblem } from '@/shared/personal/store';
import { entriesAsText } from '@/shared/personal/entriesAsText';
import { isSessionStored, useSession } from '@/shared/session/session';
import { isStepUnstored } from '@/shared/storage';
import { useStore } from '@/shared/store';
import { NoticeButton } from '@/shared/ui/NoticeButton';

import classes from './Notices.module.css';

/** Downloads the input that this browser cannot store, as a text file. */
function downloadUnstored(name: string): void {
  // With a byte order mark, because some editors on Windows need one for UTF-8.
  const text = `\ufeff${entriesAsText(unstoredEntries())}`;
  saveFile(new TextEncoder().encode(text), `${name}.txt`, 'text/plain');
}

/** A notice above every page: this browser cannot store the input, the session, or the step to the next page. */
export function StorageNotice() {
  const { t } = useTranslation();
  const session = useSession();
  const problem = useStore(storageProblem);
  const hasUnstored = problem !== null && unstoredEntries(currentOwner()).length > 0;

  useEffect(() => {
    if (!hasUnstored) return undefined;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [hasUnstored]);

  const hasUnstoredStep = useStore(isStepUnstored);
  const message = hasUnstored
    ? problem
    : session && !isSessionStored()
      ? 'session'
      : hasUnstoredStep
        ? 'step'
        : null;
  if (!message) return null;
  return (
    <div className={classes['notices']} role="alert">
      <div className={classes['notice']} data-refused>
        <p className={classes['words']}>{t(`storage.${message}`)}</p>
        {hasUnstored && (
          <div className={classes['actions']}>
            <NoticeButton variant="filled" onClick={() => downloadUnstored(t('storage.fileName'))}>
              {t('storage.download')}
            </NoticeButton>
            <NoticeButton onClick={() => void retryStoring()}>{t('retry')}</NoticeButton>
          </div>
        )}
      </div>
    </div>
  );
}
