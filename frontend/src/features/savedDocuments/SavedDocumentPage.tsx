import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';

import type { SavedDocument } from '@/api/types';
import { formatDateTime } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useListUrl } from '@/shared/lastSearch';
import { LivePages } from '@/shared/pages/LivePages';
import { editFormPath, SAVED_DOCUMENTS_PATH } from '@/shared/paths';
import type { OpenSavedDocument } from '@/shared/savedDocuments/openSavedDocument';
import { useListedSavedDocument, useSavedDocument } from '@/shared/savedDocuments/useSavedDocument';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { DownloadIcon, EditIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { useIsMobile } from '@/shared/ui/useIsMobile';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentMenu } from './DocumentMenu';
import classes from './MyDocumentsPage.module.css';
import { ShareButton } from './ShareButton';
import { useSavedDocumentActions } from './useSavedDocumentActions';

/** A saved document with its pages as they were saved. */
export function SavedDocumentPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const listUrl = useListUrl(SAVED_DOCUMENTS_PATH);
  const locale = useFormattingLocale();
  const isPhone = useIsMobile();
  const { data, error, refetch } = useSavedDocument(id);
  const listed = useListedSavedDocument(id);
  const document = data?.document ?? listed;
  usePageTitle(document?.title);

  if (error && !data) return <DocumentFailure isSaved error={error} onRetry={() => void refetch()} />;
  const lang = document?.template.language.code;
  return (
    <>
      <DocumentHeader
        document={
          document && {
            title: document.title,
            language: document.template.language,
            categories: document.template.categories,
            usageCount: document.usageCount,
            pages: document.pages,
          }
        }
        back={{ to: listUrl, label: t('saved.title') }}
        facts={
          document && (
            <span>
              {document.updatedAt === document.createdAt
                ? t('saved.savedOn', { date: formatDateTime(document.createdAt, locale) })
                : t('saved.updatedOn', { date: formatDateTime(document.updatedAt, locale) })}
            </span>
          )
        }
        actions={
          document && (
            <ViewActions document={document} opened={data} onDeleted={() => void navigate(listUrl)} />
          )
        }
      />
      {isPhone && <p className={classes['larger']}>{t('documentPages.editOnComputer')}</p>}
      <LivePages
        docx={data?.docx}
        pdf={data?.pdf}
        title={document?.title ?? ''}
        lang={lang}
        country={document?.template.country?._id}
        picture={document?.thumbnail}
        documentTime={document?.updatedAt}
      />
    </>
  );
}

interface ViewActionsProps {
  document: SavedDocument;
  /** The document with its files; undefined while they are loading. */
  opened: OpenSavedDocument | undefined;
  onDeleted: () => void;
}

function ViewActions({ document, opened, onDeleted }: ViewActionsProps) {
  const { t } = useTranslation();
  const isPhone = useIsMobile();
  const actions = useSavedDocumentActions(document, onDeleted);
  const { download } = actions;
  const isDownloading = (which: 'pdf' | 'docx') => download.isPending && download.variables === which;
  return (
    <>
      {!isPhone && (
        <LinkButton to={editFormPath(document._id)} variant="default" leftSection={<EditIcon />}>
          {t('saved.edit')}
        </LinkButton>
      )}
      {isPhone && opened && <ShareButton opened={opened} />}
      <Button
        variant="default"
        leftSection={<DownloadIcon />}
        loading={isDownloading('docx')}
        onClick={() => download.mutate('docx')}
      >
        {t('result.downloadWord')}
      </Button>
      <Button
        leftSection={<DownloadIcon />}
        loading={isDownloading('pdf')}
        onClick={() => download.mutate('pdf')}
      >
        {t('result.downloadPdf')}
      </Button>
      <DocumentMenu document={document} actions={actions} size="input-sm" />
    </>
  );
}
