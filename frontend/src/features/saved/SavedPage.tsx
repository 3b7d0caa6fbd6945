import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';

import type { SavedDocument } from '@/api/types';
import { formatDate } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { LivePages } from '@/shared/pages/LivePages';
import { useMineAddress } from '@/shared/saved/address';
import { editFormPath } from '@/shared/saved/paths';
import { useKnownSaved, useSaved } from '@/shared/saved/useSaved';
import { DocumentFailure } from '@/shared/ui/DocumentFailure';
import { DocumentHeader } from '@/shared/ui/DocumentHeader';
import { DownloadIcon, EditIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { DocumentMenu } from './DocumentMenu';
import { useActions } from './useActions';

/** A saved document with its pages as they were saved. */
export function SavedPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const mine = useMineAddress();
  const locale = useFormattingLocale();
  const { data, error, refetch } = useSaved(id);
  const known = useKnownSaved(id);
  const document = data?.document ?? known;
  usePageTitle(document?.title);

  if (error && !data) return <DocumentFailure saved error={error} onRetry={() => void refetch()} />;
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
        back={{ to: mine, label: t('saved.title') }}
        facts={
          document && (
            <span>
              {document.updatedAt === document.createdAt
                ? t('saved.savedOn', { date: formatDate(document.createdAt, locale) })
                : t('saved.updatedOn', { date: formatDate(document.updatedAt, locale) })}
            </span>
          )
        }
        actions={document && <ViewActions document={document} onDeleted={() => void navigate(mine)} />}
      />
      <LivePages
        docx={data?.docx}
        pdf={data?.pdf}
        title={document?.title ?? ''}
        lang={lang}
        picture={document?.thumbnail}
        moment={document?.updatedAt}
      />
    </>
  );
}

function ViewActions({ document, onDeleted }: { document: SavedDocument; onDeleted: () => void }) {
  const { t } = useTranslation();
  const actions = useActions(document, onDeleted);
  const { download } = actions;
  const loads = (which: 'pdf' | 'docx') => download.isPending && download.variables === which;
  return (
    <>
      <LinkButton to={editFormPath(document._id)} variant="default" leftSection={<EditIcon />}>
        {t('saved.edit')}
      </LinkButton>
      <Button
        variant="default"
        leftSection={<DownloadIcon />}
        loading={loads('docx')}
        onClick={() => download.mutate('docx')}
      >
        {t('result.downloadWord')}
      </Button>
      <Button leftSection={<DownloadIcon />} loading={loads('pdf')} onClick={() => download.mutate('pdf')}>
        {t('result.downloadPdf')}
      </Button>
      <DocumentMenu title={document.title} actions={actions} size="input-sm" />
    </>
  );
}
