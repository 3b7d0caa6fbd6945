import { Alert, Button, Progress, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { TEMPLATES_PATH } from '@/shared/paths';
import { useOwner } from '@/shared/personal/owner';
import { DropArea, FILE_INPUT_CLASS, INVITATION_CLASS } from '@/shared/ui/DropArea';
import { LeaveGuard } from '@/shared/ui/LeaveGuard';
import { LinkButton } from '@/shared/ui/LinkButton';
import { undoToast } from '@/shared/ui/Toasts';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { CategoriesInput } from '../CategoriesInput';
import pageClasses from '../PublishPage.module.css';
import { removeUnfinished } from '../templateDraft';
import { CountryInput } from '../TemplateSettings';
import { FileRow } from './FileRow';
import { isBeingChecked, isReady, isUnpublished, MAX_FILES, type QueuedFile } from './fileQueue';
import { changesInForm } from './openedFiles';
import classes from './SeveralFiles.module.css';
import { useQueueState, type Files } from './useFileQueue';

interface SeveralFilesProps {
  files: Files;
  /** The ids of the files that were opened in the form since the list was shown. */
  opened: Set<string>;
}

/** The list of several files that become templates together. */
export function SeveralFiles({ files: { queue, settings, changeSettings }, opened }: SeveralFilesProps) {
  const { t } = useTranslation();
  const owner = useOwner();
  const { files, progress } = useQueueState(queue);
  const [areTooMany, setTooMany] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLOListElement>(null);
  usePageTitle(t('publish.title'));
  const isPublishing = progress !== null;

  // Takes over what was changed in the form. The focus returns to the file that was opened.
  useEffect(() => {
    const [last] = [...opened].slice(-1);
    for (const id of opened) {
      const queued = queue.get().files.find((one) => one.id === id);
      const changes = queued && isUnpublished(queued) ? changesInForm(queued, settings, owner) : null;
      if (changes) queue.change(id, changes);
    }
    opened.clear();
    const link = last && list.current?.querySelector<HTMLElement>(`[data-file="${last}"] a`);
    if (link) link.focus();
    // The input that had the focus is gone.
    else if (document.activeElement === document.body) heading.current?.focus();
  }, [opened, queue, settings, owner]);

  const add = (chosen: File[]) => setTooMany(!queue.add(chosen));

  const remove = ({ id, file }: QueuedFile) => {
    const next = list.current?.querySelector<HTMLElement>(`[data-file="${id}"] + li :is(input, button)`);
    const restore = queue.remove(id);
    removeUnfinished(id, owner);
    (next ?? heading.current)?.focus();
    undoToast(t('severalFiles.removed', { name: file.name }), t('undo'), restore);
  };

  const publish = async (ids?: string[]) => {
    const before = queue.get().files.filter(isReady);
    await queue.publish(settings, ids);
    for (const { id } of before)
      if (queue.get().files.some((one) => one.id === id && one.state.step === 'published'))
        removeUnfinished(id, owner);
  };

  return (
    <>
      <header className={pageClasses['header']}>
        <h1 ref={heading} tabIndex={-1} className={classes['heading']}>
          {t('publish.title')}
        </h1>
        <p>{t('severalFiles.lead')}</p>
      </header>
      <div className={pageClasses['columns']}>
        <Stack gap="lg" className={pageClasses['sheet'] ?? ''}>
          <div className={classes['bar']}>
            <QueueProgress files={files} progress={progress} />
            <div className={pageClasses['buttons']}>
              <Button
                size="md"
                loading={isPublishing}
                disabled={!files.some(isReady) || files.some(isBeingChecked)}
                onClick={() => void publish()}
              >
                {t('severalFiles.publishAll')}
              </Button>
              {files.some(({ state }) => state.step === 'published') && !isPublishing && (
                <LinkButton to={TEMPLATES_PATH} variant="default" size="md">
                  {t('templates.toAll')}
                </LinkButton>
              )}
            </div>
          </div>
          <ol ref={list} className={classes['list']} aria-label={t('severalFiles.list')}>
            {files.map((queued) => (
              <FileRow
                key={queued.id}
                queued={queued}
                original={
                  queued.state.step === 'duplicate' ? nameOf(files, queued.state.original) : undefined
                }
                isDisabled={isPublishing}
                onTitleChange={(title) => queue.change(queued.id, { title })}
                onRetry={() =>
                  queued.state.step === 'checkFailed'
                    ? queue.retryCheck(queued.id)
                    : void publish([queued.id])
                }
                onRemove={() => remove(queued)}
              />
            ))}
          </ol>
          <div>
            <DropArea className={classes['more']} hasError={areTooMany} onDrop={add}>
              {(isDraggedOver) => (
                <>
                  <input
                    type="file"
                    accept=".docx"
                    multiple
                    className={FILE_INPUT_CLASS}
                    aria-label={t('severalFiles.add')}
                    aria-invalid={areTooMany}
                    onChange={(event) => {
                      const chosen = [...(event.currentTarget.files ?? [])];
                      // Allows the same file to be chosen again after it was corrected.
                      event.currentTarget.value = '';
                      if (chosen.length > 0) add(chosen);
                    }}
                  />
                  <div className={INVITATION_CLASS}>
                    {isDraggedOver ? t('publish.dropHere') : t('severalFiles.drop')}
                  </div>
                </>
              )}
            </DropArea>
            {areTooMany && (
              <Alert color="red" variant="light" role="alert" mt="xs" p="sm">
                {t('severalFiles.tooMany', { limit: MAX_FILES })}
              </Alert>
            )}
          </div>
        </Stack>
        <aside className={pageClasses['settings']} aria-labelledby="several-settings">
          <h2 id="several-settings">{t('severalFiles.settings')}</h2>
          <CategoriesInput
            value={settings.categories}
            onChange={(categories) => changeSettings({ categories })}
            disabled={isPublishing}
          />
          <CountryInput
            value={settings.country}
            onChange={(country) => changeSettings({ country })}
            disabled={isPublishing}
          />
        </aside>
      </div>
      <LeaveGuard
        hasUnsavedChanges={() => queue.get().files.some(isUnpublished)}
        onDiscard={() => undefined}
      />
    </>
  );
}

function nameOf(files: readonly QueuedFile[], id: string): string | undefined {
  return files.find((one) => one.id === id)?.file.name;
}

interface QueueProgressProps {
  files: readonly QueuedFile[];
  progress: { done: number; total: number } | null;
}

/** The progress of the checks or of the publication, and then the number of files that are ready or published. */
function QueueProgress({ files, progress }: QueueProgressProps) {
  const { t } = useTranslation();
  const checkedCount = files.filter((queued) => !isBeingChecked(queued)).length;
  const readyCount = files.filter(isReady).length;
  const publishedCount = files.filter(({ state }) => state.step === 'published').length;
  const failedCount = files.filter(({ state }) => state.step === 'publishFailed').length;
  const isChecking = checkedCount < files.length;
  const fraction = progress ? progress.done / progress.total : checkedCount / files.length;
  const text = progress
    ? t('severalFiles.publishing', { number: progress.done + 1, total: progress.total })
    : isChecking
      ? t('severalFiles.checking', { done: checkedCount, total: files.length })
      : [
          publishedCount > 0 && t('severalFiles.publishedCount', { published: publishedCount }),
          failedCount > 0 && t('severalFiles.failedCount', { failed: failedCount }),
          readyCount > failedCount &&
            t('severalFiles.readyCount', { ready: readyCount - failedCount, total: files.length }),
        ]
          .filter(Boolean)
          .join(' ') || t('severalFiles.noneReady');
  return (
    <div className={classes['progress']}>
      <p role="status">{text}</p>
      {(progress || isChecking) && <Progress value={fraction * 100} size={6} mt={8} aria-label={text} />}
    </div>
  );
}
