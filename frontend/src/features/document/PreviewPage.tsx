import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';

import { useCatalogueAddress } from '@/shared/catalogueAddress';
import { PdfPages } from '@/shared/pdf/PdfPages';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentFailure } from './DocumentFailure';
import { DocumentHeader } from './DocumentHeader';
import classes from './PreviewPage.module.css';
import { useDocument } from './useDocument';
import { formPath } from './useDocumentInAddress';

/** A template as it will look, and what it will ask for. */
export function PreviewPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const catalogue = useCatalogueAddress();
  const { data, error, refetch } = useDocument(id);
  usePageTitle(data?.document.title);

  if (error && !data) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={data?.document}
        back={{ to: catalogue, label: t('allDocuments') }}
        actions={
          <LinkButton to={formPath(id)} size="md">
            {t('preview.generate')}
          </LinkButton>
        }
      />
      <div className={classes['columns']}>
        <PdfPages data={data?.pdf} title={data?.document.title ?? ''} lang={data?.document.language.code} />
        <aside className={classes['fields']} tabIndex={0} aria-label={t('preview.whatYouFill')}>
          <h2>{t('preview.whatYouFill')}</h2>
          {data ? (
            <>
              <p className={classes['count']}>{t('fields', { count: data.document.fields.length })}</p>
              <ol lang={data.document.language.code}>
                {data.document.fields.map((field) => (
                  <li key={field}>
                    <bdi>{field}</bdi>
                  </li>
                ))}
              </ol>
            </>
          ) : (
            Array.from({ length: 6 }, (_, index) => <Skeleton key={index} height={14} mt={14} />)
          )}
        </aside>
      </div>
    </>
  );
}
