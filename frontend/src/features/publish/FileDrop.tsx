import { Button, Progress, Text } from '@mantine/core';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { formatFileSize } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { LIMITS } from '@/shared/settings';
import { DocumentsIcon, UploadIcon } from '@/shared/ui/icons';

import classes from './FileDrop.module.css';

interface FileDropProps {
  file: File | null;
  onChoose: (file: File | null) => void;
  /** The error text; `true` only marks the area. */
  error?: ReactNode;
  /** The fraction that has been sent; undefined while no upload runs. */
  sentFraction?: number | undefined;
  /** The explanation shown without a file. */
  hint?: string | undefined;
}

/** The area for a template's file, which can be dropped or chosen. */
export function FileDrop({ file, onChoose, error, sentFraction, hint }: FileDropProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const input = useRef<HTMLInputElement>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const isSending = sentFraction !== undefined;
  // Isolated, because Arabic text would mirror the braces.
  const example = `\u2066{{${t('publish.exampleField')}}}\u2069`;

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && !isSending) onChoose(dropped);
  };

  return (
    <div>
      <label htmlFor="template-file" className={classes['label']}>
        {t('publish.file')}
      </label>
      <div
        className={classes['area']}
        data-over={isDraggedOver || undefined}
        data-error={error ? true : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setDraggedOver(true);
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={onDrop}
      >
        <input
          ref={input}
          id="template-file"
          type="file"
          accept=".docx"
          className={classes['input']}
          disabled={isSending}
          aria-invalid={Boolean(error)}
          aria-describedby="template-file-hint template-file-error"
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            // Allows the same file to be chosen again after it was corrected.
            event.currentTarget.value = '';
            if (chosen) onChoose(chosen);
          }}
        />
        {file ? (
          <div className={classes['chosen']}>
            <DocumentsIcon size={48} />
            <bdi className={classes['name']}>{file.name}</bdi>
            <Text size="sm" c="dimmed">
              {formatFileSize(file.size, locale)}
            </Text>
            {isSending ? (
              <div className={classes['sending']} role="status">
                <Progress.Root size={6}>
                  <Progress.Section
                    value={sentFraction * 100}
                    animated={sentFraction >= 1}
                    aria-label={t('publish.file')}
                  />
                </Progress.Root>
                <Text size="sm" mt={8}>
                  {sentFraction < 1
                    ? t('publish.uploading', { percent: Math.round(sentFraction * 100) })
                    : t('publish.checking')}
                </Text>
              </div>
            ) : (
              <div className={classes['buttons']}>
                <Button variant="default" size="xs" onClick={() => input.current?.click()}>
                  {t('publish.chooseAnother')}
                </Button>
                <Button variant="subtle" size="xs" onClick={() => onChoose(null)}>
                  {t('publish.removeFile')}
                </Button>
              </div>
            )}
          </div>
        ) : (
          <div className={classes['inviting']}>
            <UploadIcon size={40} />
            <Text fw={600}>{isDraggedOver ? t('publish.dropHere') : t('publish.drop')}</Text>
            {hint && <Text size="sm">{hint}</Text>}
            <Text size="sm" c="dimmed" id="template-file-hint">
              {t('publish.dropHint', { example, limit: LIMITS.templateMegabytes })}
            </Text>
          </div>
        )}
      </div>
      {error && error !== true && (
        <Text id="template-file-error" size="sm" c="var(--harm)" mt={6} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
