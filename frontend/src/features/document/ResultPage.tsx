import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';

import { useErrorText } from '@/shared/i18n/useErrorText';
import { PdfPages } from '@/shared/pdf/PdfPages';
import { Failure } from '@/shared/ui/Failure';
import { FindingList } from '@/shared/ui/FindingList';
import { DownloadIcon, EditIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentFailure } from './DocumentFailure';
import { DocumentHeader } from './DocumentHeader';
import classes from './ResultPage.module.css';
import { readDraft } from './drafts';
import { DOCX_TYPE, saveFile, showAndSavePdf } from './files';
import { useDocument } from './useDocument';
import { formPath, useDocumentInAddress } from './useDocumentInAddress';
import { useFilled } from './useFilled';

/** The finished pages, and what can be done with them. */
export function ResultPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const id = useDocumentInAddress();
  const [draft] = useState(() => readDraft(id ?? ''));
  const template = useDocument(id);
  const document = template.data?.document;
  const filled = useFilled(document, draft);
  usePageTitle(document ? `${t('result.title')} · ${document.title}` : t('result.title'));

  // A use was counted: lists are to show it when they are opened next.
  const done = filled.data !== undefined;
  useEffect(() => {
    if (done) void queries.invalidateQueries({ queryKey: ['documents'] });
  }, [done, queries]);

  if (!id) return <Navigate to="/user-home" replace />;
  if (!draft.filling) return <Navigate to={formPath(id)} replace />;
  if (template.error && !document)
    return <DocumentFailure error={template.error} onRetry={() => void template.refetch()} />;

  const { data, error } = filled;
  return (
    <>
      <DocumentHeader
        document={document}
        pages={data?.pages ?? null}
        step={t('result.title')}
        back={{ to: formPath(id), label: t('result.toForm') }}
        actions={
          <>
            <Button variant="subtle" onClick={() => void navigate('/')}>
              {t('cancel')}
            </Button>
            <LinkButton to={formPath(id)} variant="default" leftSection={<EditIcon />}>
              {t('result.edit')}
            </LinkButton>
            <Button
              variant="default"
              leftSection={<DownloadIcon />}
              disabled={!data}
              onClick={() => data && saveFile(data.docx, `${data.fileName}.docx`, DOCX_TYPE)}
            >
              {t('result.downloadWord')}
            </Button>
            <Button
              leftSection={<DownloadIcon />}
              disabled={!data}
              onClick={() => data && showAndSavePdf(data.pdf, `${data.fileName}.pdf`)}
            >
              {t('result.downloadPdf')}
            </Button>
          </>
        }
      />
      {error && !data ? (
        <Failure title={t('result.failed')} hint={errorText(error)} onRetry={() => void filled.refetch()}>
          <LinkButton to={formPath(id)}>{t('result.toForm')}</LinkButton>
        </Failure>
      ) : (
        <>
          <p className="heard" role="status">
            {data ? t('result.title') : t('result.generating')}
          </p>
          <PdfPages data={data?.pdf} title={document?.title ?? ''} lang={document?.language.code} />
          {data && data.warnings.length > 0 && (
            <details className={classes['warnings']}>
              <summary>{t('result.warnings')}</summary>
              <FindingList findings={data.warnings} />
            </details>
          )}
        </>
      )}
    </>
  );
}
