import { Alert, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Template } from '@/api/types';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { templatePath } from '@/shared/paths';
import { LinkButton } from '@/shared/ui/LinkButton';

import classes from './PublishPage.module.css';
import { useAreaPaths, useAreaTexts, useTemplateArea } from './templateArea';

interface PublishAlertsProps {
  /** The error of the last attempt to publish; null if there is none. */
  error: Error | null;
  /** True if required input is missing. */
  isIncomplete: boolean;
  /** True for the edit of a template, false for a new one. */
  isEdit: boolean;
}

/** The reasons why a template was not published, above the button. */
export function PublishAlerts({ error, isIncomplete, isEdit }: PublishAlertsProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const texts = useAreaTexts();
  return (
    <>
      {error && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={isEdit ? texts.updateFailed : texts.creationFailed}
        >
          {errorText(error)}
        </Alert>
      )}
      {isIncomplete && (
        <Alert color="red" variant="light" role="alert" p="sm">
          {isEdit ? t('publish.titleMissing') : t('publish.fillall')}
        </Alert>
      )}
    </>
  );
}

interface PublishButtonsProps {
  isDisabled: boolean;
  isPending: boolean;
  /** The template that is edited; null for a new one. */
  edited: Template | null;
}

/** The button that publishes a template, and the one that leaves an edit. */
export function PublishButtons({ isDisabled, isPending, edited }: PublishButtonsProps) {
  const { t } = useTranslation();
  const area = useTemplateArea();
  const { list } = useAreaPaths();
  const { confirm } = useAreaTexts();
  return (
    <div className={classes['buttons']}>
      <Button
        type="submit"
        size="md"
        loading={isPending}
        disabled={isDisabled}
        className={classes['confirm'] ?? ''}
      >
        {edited && area === 'catalogue' ? t('publish.save') : confirm}
      </Button>
      {edited && (
        <LinkButton to={area === 'own' ? list : templatePath(edited._id)} variant="subtle" size="md">
          {t('cancel')}
        </LinkButton>
      )}
    </div>
  );
}
