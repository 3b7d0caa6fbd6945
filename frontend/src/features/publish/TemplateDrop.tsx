import '@mantine/dropzone/styles.css';

import { Button } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useTranslation } from 'react-i18next';

import { formatMegabytes } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { LIMITS } from '@/shared/settings';
import { DocumentsIcon, UploadIcon } from '@/shared/ui/icons';

import classes from './PublishPage.module.css';
import { problemOf } from './template';

interface TemplateDropProps {
  file: File | null;
  onChange: (file: File | null) => void;
  /** What is wrong, in words. */
  error: string | null;
  onError: (message: string) => void;
  busy: boolean;
}

/** The drop zone, 350 px high (specification §9): one .docx file, checked before anything is sent. */
export function TemplateDrop({ file, onChange, error, onError, busy }: TemplateDropProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();

  const take = (chosen: File | undefined) => {
    if (!chosen) return;
    const problem = problemOf(chosen);
    if (!problem) return onChange(chosen);
    onChange(null);
    onError(
      t(`publish.${problem}`, {
        limit: LIMITS.templateMegabytes,
        size: formatMegabytes(chosen.size, locale),
      }),
    );
  };

  return (
    <div>
      <Dropzone
        className={classes['drop']}
        // Type and size are told apart in our own words, so every file is let through to `take`.
        onDrop={(files) => take(files[0])}
        multiple={false}
        disabled={busy}
        h={350}
        data-invalid={error ? true : undefined}
        inputProps={{ 'aria-label': t('publish.file'), accept: '.docx' }}
        validator={() => null}
      >
        <div className={classes['dropWords']}>
          {file ? <DocumentsIcon size={40} /> : <UploadIcon size={40} />}
          {file ? (
            <>
              <strong dir="auto">{file.name}</strong>
              <span>{formatMegabytes(file.size, locale)}</span>
              <span className={classes['hint']}>{t('publish.chooseAnother')}</span>
            </>
          ) : (
            <>
              <Dropzone.Accept>{t('publish.dropHere')}</Dropzone.Accept>
              <Dropzone.Idle>
                <strong>{t('publish.drop')}</strong>
              </Dropzone.Idle>
              <span className={classes['hint']}>
                {t('publish.dropHint', { example: '{{name}}', limit: LIMITS.templateMegabytes })}
              </span>
            </>
          )}
        </div>
      </Dropzone>
      {error && (
        <p className={classes['error']} role="alert">
          {error}
        </p>
      )}
      {file && !busy && (
        <Button variant="subtle" size="compact-sm" mt={8} onClick={() => onChange(null)}>
          {t('publish.removeFile')}
        </Button>
      )}
    </div>
  );
}
