import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';

import { useCatalogueAddress } from '@/shared/catalogueAddress';
import { LivePages } from '@/shared/pages/LivePages';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { LawNote } from '@/shared/ui/LawNote';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import classes from './PreviewPage.module.css';
import { useDocument, useKnownDocument } from '@/shared/documents/useDocument';
import { formPath } from './work';

/** A template's pages and its fields. */
export function PreviewPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const catalogue = useCatalogueAddress();
  const { data, error, refetch } = useDocument(id);
  // If a list has already loaded the template, its header, fields and first page appear at once.
  const known = useKnownDocument(id);
  const document = data?.document ?? known;
  usePageTitle(document?.title);

  if (error && !data) return <DocumentFailure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <DocumentHeader
        document={document}
        back={{ to: catalogue, label: t('allDocuments') }}
        actions={
          <LinkButton to={formPath({ kind: 'new', templateId: id })} size="md">
            {t('preview.generate')}
          </LinkButton>
        }
      />
      <LawNote country={document?.country} />
      <div className={classes['columns']}>
        <LivePages
          docx={data?.docx}
          pdf={data?.pdf}
          title={document?.title ?? ''}
          lang={document?.language.code}
          picture={document?.thumbnail}
          smallPicture={document?.smallThumbnail}
        />
        <aside className={classes['fields']} tabIndex={0} aria-label={t('preview.whatYouFill')}>
          <h2>{t('preview.whatYouFill')}</h2>
          {document ? (
            <>
              <p className={classes['count']}>{t('fields', { count: document.fields.length })}</p>
              <ol lang={document.language.code}>
                {document.fields.map((field) => (
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
