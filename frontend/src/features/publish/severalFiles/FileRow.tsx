import { Button, Loader, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { ApiError } from '@/api/error';
import { formatFileSize } from '@/shared/i18n/format';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useLanguageName, useLanguages } from '@/shared/lookups';
import { templatePath, unfinishedTemplatePath } from '@/shared/paths';
import { LIMITS } from '@/shared/settings';
import { LinkButton } from '@/shared/ui/LinkButton';

import { PROGRAM_NAMES } from '../ConversionNotice';
import { DiagnosticGroups } from '../DiagnosticGroups';
import { titleProblem } from '../templateProblems';
import { isReady, obstacleOf, type QueuedFile } from './fileQueue';
import classes from './SeveralFiles.module.css';

interface FileRowProps {
  queued: QueuedFile;
  /** The name of the earlier file with the same content. */
  original: string | undefined;
  isDisabled: boolean;
  onTitleChange: (title: string) => void;
  /** Checks or publishes the file again. */
  onRetry: () => void;
  onRemove: () => void;
}

/** A file of the list with its title, its language, its state and its actions. */
export function FileRow({ queued, original, isDisabled, onTitleChange, onRetry, onRemove }: FileRowProps) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const languageName = useLanguageName();
  const { languages } = useLanguages();
  const { id, file, title, state, checked, ownSettings } = queued;
  const { step } = state;
  const { name } = file;
  const canBeTemplate = step !== 'refused' && step !== 'duplicate';
  const isPublished = step === 'published';
  const problem = titleProblem(title).title;
  const language = languages?.find(({ code }) => code === queued.language);
  return (
    <li className={classes['file']} data-file={id} data-step={step} data-ready={isReady(queued) || undefined}>
      <div className={classes['name']}>
        <bdi>{name}</bdi> <span className={classes['detail']}>{formatFileSize(file.size, locale)}</span>
      </div>
      {isPublished ? (
        <Link to={templatePath(state.id)} className={classes['title'] ?? ''}>
          <bdi>{title}</bdi>
        </Link>
      ) : (
        canBeTemplate && (
          <TextInput
            label={t('publish.documentTitle')}
            autoComplete="off"
            disabled={isDisabled}
            value={title}
            error={
              problem === 'titleTooLong'
                ? t('publish.titleTooLong', { limit: LIMITS.titleCharacters })
                : problem && t('publish.titleMissing')
            }
            onChange={(event) => onTitleChange(event.currentTarget.value)}
          />
        )
      )}
      <div className={classes['state']}>
        <StateText queued={queued} original={original} />
        {language && <p className={classes['detail']}>{languageName(language)}</p>}
        {ownSettings && <p className={classes['detail']}>{t('severalFiles.ownSettings')}</p>}
      </div>
      {step === 'checked' && checked && obstacleOf(checked) === 'errors' && (
        <DiagnosticGroups diagnostics={checked.errors} />
      )}
      {!isPublished && (
        <div className={classes['actions']}>
          {canBeTemplate && !isDisabled && (
            <LinkButton
              to={unfinishedTemplatePath(id)}
              size="xs"
              variant="default"
              aria-label={t('severalFiles.openFile', { name })}
            >
              {t('severalFiles.open')}
            </LinkButton>
          )}
          {canRetry(queued) && (
            <Button
              size="xs"
              variant="default"
              disabled={isDisabled}
              aria-label={t('severalFiles.retryFile', { name })}
              onClick={onRetry}
            >
              {t('retry')}
            </Button>
          )}
          <Button
            size="xs"
            variant="subtle"
            disabled={isDisabled}
            aria-label={t('severalFiles.removeFile', { name })}
            onClick={onRemove}
          >
            {t('severalFiles.remove')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Returns true if another attempt may succeed. A file that cannot be read stays unreadable. */
function canRetry({ state }: QueuedFile): boolean {
  if (state.step === 'publishFailed') return true;
  if (state.step !== 'checkFailed') return false;
  const { error } = state;
  return !(error instanceof ApiError && error.status >= 400 && error.status < 429);
}

function StateText({ queued, original }: { queued: QueuedFile; original: string | undefined }) {
  const { t } = useTranslation();
  const locale = useFormattingLocale();
  const errorText = useErrorText();
  const { state, checked, file } = queued;
  switch (state.step) {
    case 'waiting':
      return <p>{t('severalFiles.isWaiting')}</p>;
    case 'checking':
    case 'publishing':
      return (
        <p className={classes['running']}>
          <Loader size="xs" aria-hidden />
          {state.step === 'checking' ? t('severalFiles.isChecking') : t('severalFiles.isPublishing')}
        </p>
      );
    case 'published':
      return <p className={classes['good']}>{t('severalFiles.isPublished')}</p>;
    case 'refused':
      return (
        <p className={classes['bad']}>
          {t(`publish.${state.problem}`, {
            size: formatFileSize(file.size, locale),
            limit: LIMITS.templateMegabytes,
          })}
        </p>
      );
    case 'duplicate':
      return (
        <p className={classes['bad']}>
          {t('severalFiles.duplicate', { name: `\u2068${original ?? ''}\u2069` })}
        </p>
      );
    case 'checkFailed':
      return (
        <p className={classes['bad']}>
          {t('publish.checkFailed')}. {errorText(state.error)}
        </p>
      );
    case 'publishFailed':
      return (
        <p className={classes['bad']}>
          {t('publish.documentCreationFailed')}. {errorText(state.error)}
        </p>
      );
    case 'checked':
      return checked && <CheckedText checked={checked} />;
  }
}

function CheckedText({ checked }: { checked: NonNullable<QueuedFile['checked']> }) {
  const { t } = useTranslation();
  const { settings, errors, program } = checked;
  switch (obstacleOf(checked)) {
    case 'errors':
      return (
        <p className={classes['bad']}>
          {t('publish.refused')}. {t('publish.refusedHint', { count: errors.length })}
        </p>
      );
    case 'program':
      return (
        <p className={classes['bad']}>
          {program && t('publish.writtenFor', { program: PROGRAM_NAMES[program] })}.{' '}
          {t('severalFiles.openToConvert')}
        </p>
      );
    case 'noFields':
      return (
        <p className={classes['bad']}>
          {t('publish.noFields')}. {t('severalFiles.openToMark')}
        </p>
      );
    case null:
      return (
        <p className={classes['good']}>
          {t('severalFiles.ready', { fields: t('fields', { count: settings.length }) })}
        </p>
      );
  }
}
