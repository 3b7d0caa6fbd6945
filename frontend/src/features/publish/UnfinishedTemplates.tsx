import { Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

import type { Owner } from '@/shared/personal/owner';
import { onEntryChange } from '@/shared/personal/store';
import { LinkButton } from '@/shared/ui/LinkButton';
import { undoToast } from '@/shared/ui/Toasts';

import {
  listUnfinished,
  readTemplateFile,
  readUnfinished,
  removeUnfinished,
  writeTemplateFile,
  writeUnfinished,
} from './templateDraft';
import { useAreaPaths, useTemplateArea } from './templateArea';
import classes from './PublishPage.module.css';

const lockName = (name: string) => `waraq-template-${name}`;

/** Returns the unfinished templates that no tab has open. `name` is open in this tab. */
function useClosedTemplates(owner: Owner, name: string) {
  const area = useTemplateArea();
  const listed = useSyncExternalStore(onEntryChange, () => JSON.stringify(listUnfinished(owner, area)));
  const [open, setOpen] = useState<string[] | null>(() => ('locks' in navigator ? null : []));
  useEffect(() => {
    const { locks } = navigator as { locks?: LockManager };
    if (!locks) return undefined;
    let release = () => {};
    const isReleased = new Promise<void>((done) => (release = done));
    locks.request(lockName(name), () => isReleased).catch(() => undefined);
    void locks.query().then(({ held }) => setOpen((held ?? []).map((lock) => lock.name ?? '')));
    return release;
  }, [name]);
  const all = JSON.parse(listed) as ReturnType<typeof listUnfinished>;
  return open ? all.filter((one) => one.name !== name && !open.includes(lockName(one.name))) : [];
}

interface UnfinishedTemplatesProps {
  owner: Owner;
  /** The name of the unfinished template that this page has open. */
  name: string;
  /** False while the user works on another template. */
  isShown: boolean;
}

/** The notice of templates that the admin has not finished, on a page for a new one. */
export function UnfinishedTemplates({ owner, name, isShown }: UnfinishedTemplatesProps) {
  const { t } = useTranslation();
  const { create } = useAreaPaths();
  const closed = useClosedTemplates(owner, name);
  const discard = (one: string) => {
    const [stored, file] = [readUnfinished(one, owner), readTemplateFile(one, owner)];
    removeUnfinished(one, owner);
    undoToast(t('publish.draftDiscarded'), t('undo'), () => {
      if (stored) writeUnfinished(one, stored, owner);
      writeTemplateFile(one, file, owner);
    });
  };
  if (!isShown || closed.length === 0) return null;
  return (
    <section className={classes['unfinished']} aria-labelledby="unfinished-title">
      <h2 id="unfinished-title">{t('publish.unfinished', { count: closed.length })}</h2>
      <ul>
        {closed.map((one) => (
          <li key={one.name}>
            <bdi>{one.title || t('publish.untitled')}</bdi>
            <div className={classes['buttons']}>
              <LinkButton to={`${create}?draft=${encodeURIComponent(one.name)}`} size="xs" variant="default">
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
