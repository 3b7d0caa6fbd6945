import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';

import { FieldOverview } from '@/shared/fields/FieldOverview';
import { structuredField, type FieldSettings } from '@/shared/fields/fieldSettings';
import { labelledBlanks } from '@/shared/fields/labelledBlanks';
import { useListUrl } from '@/shared/lastSearch';
import { LivePages } from '@/shared/pages/LivePages';
import { CATALOGUE_PATH } from '@/shared/paths';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { ForeignLawNote } from '@/shared/ui/ForeignLawNote';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import classes from './PreviewPage.module.css';
import { useTemplate, useListedTemplate } from '@/shared/templates/useTemplate';
import { formPath } from './fillTask';

/** A template's pages and its fields. */
export function PreviewPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const catalogue = useListUrl(CATALOGUE_PATH);
  const { data, error, refetch } = useTemplate(id);
  // If a list has already loaded the template, its header, fields and first page appear at once.
  const listed = useListedTemplate(id);
  const template = data?.template ?? listed;
  // A list does not have the settings, so the names of the fields stand for their labels until they arrive.
  const settings = useMemo<FieldSettings[]>(
    () => data?.settings ?? (listed?.fields ?? []).map((field) => ({ field, kind: 'text' })),
    [data?.settings, listed?.fields],
  );
  const blanks = useMemo(() => data && labelledBlanks(data.settings), [data]);
  const structure = useMemo(() => data?.settings.map(structuredField), [data]);
  usePageTitle(template?.title);

  if (error && !data) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={template}
        back={{ to: catalogue, label: t('allDocuments') }}
        actions={
          <LinkButton to={formPath({ kind: 'new', templateId: id })} size="md">
            {t('preview.generate')}
          </LinkButton>
        }
      />
      <ForeignLawNote country={template?.country} />
      <div className={classes['columns']}>
        <LivePages
          docx={data?.docx}
          structure={structure}
          values={blanks}
          pdf={data?.pdf}
          title={template?.title ?? ''}
          lang={template?.language.code}
          country={template?.country?._id}
          picture={template?.thumbnail}
          smallPicture={template?.smallThumbnail}
        />
        <aside className={classes['fields']} tabIndex={0} aria-label={t('preview.whatYouFill')}>
          <h2>{t('preview.whatYouFill')}</h2>
          {template ? (
            <>
              <p className={classes['count']}>{t('fields', { count: template.fields.length })}</p>
              <FieldOverview settings={settings} lang={template.language.code} />
            </>
          ) : (
            Array.from({ length: 6 }, (_, index) => <Skeleton key={index} height={14} mt={14} />)
          )}
        </aside>
      </div>
    </>
  );
}
