import { Alert, Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';

import { useErrorText } from '@/shared/i18n/useErrorText';
import { PdfPages } from '@/shared/pdf/PdfPages';
import { useStore } from '@/shared/store';
import { Failure } from '@/shared/ui/Failure';
import { LinkButton } from '@/shared/ui/LinkButton';
import { DownloadIcon, EditIcon } from '@/shared/ui/icons';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './DocumentPage.module.css';
import { beginGeneration, draft, type Draft } from './draft';
import { DOCX, download, fileName, openInTab, PDF } from './files';
import { useGenerated } from './useGenerated';

const FORM = '/user-home/form-document';

/** The finished pages, and the two files (specification §2, `/document-result`). */
export function ResultPage() {
  const now = useStore(draft);
  if (!now) return <Navigate to="/user-home/user-all-documents" replace />;
  return <Result draft={now} />;
}

function Result({ draft: now }: { draft: Draft }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useGenerated(now);
  const { title, language } = now.document;
  usePageTitle(title);

  // Opened by its address rather than from the form: it is generated as it stands.
  useEffect(() => {
    if (!now.generation) beginGeneration();
  }, [now.generation]);

  return (
    <>
      <header className={classes['head']}>
        <div className={classes['title']}>
          <h1 dir="auto" lang={language.code}>
            {title}
          </h1>
          <p className={classes['meta']} role="status">
            {error ? t('result.failed') : data ? t('result.title') : t('result.generating')}
          </p>
        </div>
        <div className={classes['actions']}>
          <LinkButton to="/" variant="subtle">
            {t('cancel')}
          </LinkButton>
          <LinkButton to={FORM} variant="default" leftSection={<EditIcon />}>
            {t('result.edit')}
          </LinkButton>
          <Button
            variant="default"
            leftSection={<DownloadIcon />}
            disabled={!data}
            onClick={() => data && download(data.docx, fileName(title, 'docx'), DOCX)}
          >
            {t('result.downloadWord')}
          </Button>
          <Button
            leftSection={<DownloadIcon />}
            disabled={!data}
            onClick={() => data && openInTab(data.pdf, fileName(title, 'pdf'), PDF)}
          >
            {t('result.downloadPdf')}
          </Button>
        </div>
      </header>
      {error ? (
        <Failure title={t('result.failed')} hint={errorText(error)} onRetry={() => void refetch()}>
          <LinkButton to={FORM} variant="default">
            {t('result.toForm')}
          </LinkButton>
        </Failure>
      ) : (
        <PdfPages data={data?.pdf} title={title} lang={language.code} />
      )}
      {data && data.warnings.length > 0 && (
        <Alert mt="lg" variant="light" color="gray" title={t('result.warnings')}>
          <ul className={classes['remarks']} lang="en" dir="ltr">
            {data.warnings.map((warning, index) => (
              <li key={index}>{warning.message}</li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  );
}
