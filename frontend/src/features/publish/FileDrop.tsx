import { Button, Progress, Text } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { formatFileSize } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { LIMITS } from '@/shared/settings';
import { DropArea, FILE_INPUT_CLASS, INVITATION_CLASS } from '@/shared/ui/DropArea';
import { DocumentsIcon, UploadIcon } from '@/shared/ui/icons';

import classes from './FileDrop.module.css';
import { MAX_FILES } from './severalFiles/fileQueue';
import { fileProblem } from './templateProblems';

/** Users notice the download of larger files. */
const LARGE_FILE_BYTES = 5_000_000;

interface FileDropProps {
  file: File | null;
  onChoose: (file: File | null) => void;
  /** Called with several files. Returns false if they are too many. Undefined if only one file can be used. */
  onChooseSeveral?: ((files: File[]) => boolean) | undefined;
  /** The error text; `true` only marks the area. */
  error?: ReactNode;
  /** The number of pages of the file; undefined until it is known. */
  pages?: number | undefined;
  /** The fraction that has been sent; undefined while no upload runs. */
  sentFraction?: number | undefined;
  /** The explanation shown without a file. */
  hint?: string | undefined;
}

/** The area for a template's file, which can be dropped or chosen. */
export function FileDrop({
  file,
  onChoose,
  onChooseSeveral,
  error,
  pages,
  sentFraction,
  hint,
}: FileDropProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const input = useRef<HTMLInputElement>(null);
  /** The file that was used of several dropped ones. */
  const [usedFile, setUsedFile] = useState<File | null>(null);
  const [areTooMany, setTooMany] = useState(false);
  const isSending = sentFraction !== undefined;
  // Isolated, because Arabic text would mirror the braces.
  const example = `\u2066{{${t('publish.exampleField')}}}\u2069`;

  const choose = (chosen: File | null) => {
    setUsedFile(null);
    setTooMany(false);
    onChoose(chosen);
  };
  const chooseAll = (files: File[]) => {
    // A Word file is more likely meant than another one.
    const used = files.find((one) => !fileProblem(one)) ?? files[0];
    if (!used || isSending) return;
    if (files.length > 1 && onChooseSeveral) {
      setTooMany(!onChooseSeveral(files));
      return;
    }
    choose(used);
    if (files.length > 1) setUsedFile(used);
  };

  return (
    <div>
      <label htmlFor="template-file" className={classes['label']}>
        {t('publish.file')}
      </label>
      <DropArea
        className={classes[file ? 'chosenArea' : 'area']}
        hasError={Boolean(error)}
        onDrop={chooseAll}
      >
        {(isDraggedOver) => (
          <>
            <input
              ref={input}
              id="template-file"
              type="file"
              accept=".docx"
              multiple={onChooseSeveral !== undefined}
              className={FILE_INPUT_CLASS}
              disabled={isSending}
              aria-invalid={Boolean(error)}
              aria-describedby="template-file-hint template-file-error"
              onChange={(event) => {
                const chosen = [...(event.currentTarget.files ?? [])];
                // Allows the same file to be chosen again after it was corrected.
                event.currentTarget.value = '';
                chooseAll(chosen);
              }}
            />
            {file ? (
              <div className={classes['chosen']}>
                <DocumentsIcon size={20} />
                <bdi className={classes['name']}>{file.name}</bdi>
                {pages !== undefined && (
                  <span className={classes['fact']}>{t('pages', { count: pages })}</span>
                )}
                <span className={classes['fact']}>{formatFileSize(file.size, locale)}</span>
                {isSending ? (
                  <div className={classes['sending']} role="status">
                    <Progress.Root size={6}>
                      <Progress.Section
                        value={sentFraction * 100}
                        animated={sentFraction >= 1}
                        aria-label={t('publish.file')}
                      />
                    </Progress.Root>
                    <Text size="sm">
                      {sentFraction < 1
                        ? t('publish.uploading', { percent: Math.round(sentFraction * 100) })
                        : t('publish.checking')}
                    </Text>
                  </div>
                ) : (
                  <div className={classes['buttons']}>
                    <Button variant="default" size="compact-sm" onClick={() => input.current?.click()}>
                      {t('publish.chooseAnother')}
                    </Button>
                    <Button variant="subtle" size="compact-sm" onClick={() => choose(null)}>
                      {t('publish.removeFile')}
                    </Button>
                  </div>
                )}
              </div>
            ) : (
              <div className={`${INVITATION_CLASS} ${classes['inviting']}`}>
                <UploadIcon size={40} />
                <Text fw={600}>
                  {isDraggedOver
                    ? t('publish.dropHere')
                    : onChooseSeveral
                      ? t('severalFiles.drop')
                      : t('publish.drop')}
                </Text>
                {hint && <Text size="sm">{hint}</Text>}
                <Text size="sm" c="dimmed" id="template-file-hint">
                  {t('publish.dropHint', { example, limit: LIMITS.templateMegabytes })}
                </Text>
              </div>
            )}
          </>
        )}
      </DropArea>
      <p className={classes['note']} role="status">
        {usedFile && usedFile === file && t('publish.droppedSeveral', { name: usedFile.name })}
        {file &&
          file.size > LARGE_FILE_BYTES &&
          !error &&
          t('publish.largeFile', { size: formatFileSize(file.size, locale) })}
      </p>
      {areTooMany && (
        <Text size="sm" c="var(--harm)" mt={6} role="alert">
          {t('severalFiles.tooMany', { limit: MAX_FILES })}
        </Text>
      )}
      {error && error !== true && (
        <Text id="template-file-error" size="sm" c="var(--harm)" mt={6} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
