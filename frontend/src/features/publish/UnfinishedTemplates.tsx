import { Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

import { unfinishedPath } from '@/shared/documents/paths';
import type { Owner } from '@/shared/personal/owner';
import { whenChanged } from '@/shared/personal/store';
import { LinkButton } from '@/shared/ui/LinkButton';
import { undoToast } from '@/shared/ui/Toasts';

import {
  listUnfinished,
  readFile,
  readUnfinished,
  removeUnfinished,
  writeFile,
  writeUnfinished,
} from './draft';
import classes from './PublishPage.module.css';

const lockOf = (name: string) => `waraq-template-${name}`;

/** Returns the unfinished templates that no tab has open. `name` is open in this tab. */
function useClosed(owner: Owner, name: string) {
  const listed = useSyncExternalStore(whenChanged, () => JSON.stringify(listUnfinished(owner)));
  const [open, setOpen] = useState<string[] | null>(() => ('locks' in navigator ? null : []));
  useEffect(() => {
    const { locks } = navigator as { locks?: LockManager };
    if (!locks) return undefined;
    let release = () => {};
    const left = new Promise<void>((done) => (release = done));
    locks.request(lockOf(name), () => left).catch(() => undefined);
    void locks.query().then(({ held }) => setOpen((held ?? []).map((lock) => lock.name ?? '')));
    return release;
  }, [name]);
  const all = JSON.parse(listed) as ReturnType<typeof listUnfinished>;
  return open ? all.filter((one) => one.name !== name && !open.includes(lockOf(one.name))) : [];
}

interface UnfinishedTemplatesProps {
  owner: Owner;
  /** The name of the unfinished template that this page has open. */
  name: string;
  /** False while the user works on another template. */
  shown: boolean;
}

/** The notice of templates that the admin has not finished, on a page for a new one. */
export function UnfinishedTemplates({ owner, name, shown }: UnfinishedTemplatesProps) {
  const { t } = useTranslation();
  const closed = useClosed(owner, name);
  const discard = (one: string) => {
    const [kept, file] = [readUnfinished(one, owner), readFile(one, owner)];
    removeUnfinished(one, owner);
    undoToast(t('publish.draftDiscarded'), t('undo'), () => {
      if (kept) writeUnfinished(one, kept, owner);
      writeFile(one, file, owner);
    });
  };
  if (!shown || closed.length === 0) return null;
  return (
    <section className={classes['unfinished']} aria-labelledby="unfinished-title">
      <h2 id="unfinished-title">{t('publish.unfinished', { count: closed.length })}</h2>
      <ul>
        {closed.map((one) => (
          <li key={one.name}>
            <bdi>{one.title || t('publish.untitled')}</bdi>
            <div className={classes['buttons']}>
              <LinkButton to={unfinishedPath(one.name)} size="xs" variant="default">
                {t('publish.continueDraft')}
              </LinkButton>
              <Button size="xs" variant="subtle" onClick={() => discard(one.name)}>
                {t('publish.discardDraft')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
