import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { SavedDocument } from '@/api/types';
import { formatDateTime } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCategoryLabel } from '@/shared/lookups';
import { editFormPath, savedDocumentPath } from '@/shared/paths';
import { Card } from '@/shared/ui/cards/Card';
import { DownloadIcon, EditIcon, EyeIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { useIsMobile } from '@/shared/ui/useIsMobile';

import { DocumentMenu } from './DocumentMenu';
import { useSavedDocumentActions } from './useSavedDocumentActions';

/** A saved document with its first page and its actions. */
export function SavedCard({ document, onDeleted }: { document: SavedDocument; onDeleted: () => void }) {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const locale = useFormattingLocale();
  const {
    _id,
    title,
    template,
    thumbnail,
    thumbnailWidth,
    thumbnailHeight,
    pages,
    usageCount,
    createdAt,
    updatedAt,
  } = document;
  const lang = template.language.code;
  return (
    <Card
      to={savedDocumentPath(_id)}
      title={title}
      lang={lang}
      picture={thumbnail ? { src: thumbnail, width: thumbnailWidth, height: thumbnailHeight } : null}
      badges={template.categories.map(label)}
      facts={[
        updatedAt === createdAt
          ? t('saved.savedOn', { date: formatDateTime(createdAt, locale) })
          : t('saved.updatedOn', { date: formatDateTime(updatedAt, locale) }),
        t('pages', { count: pages }),
        ...(usageCount > 0 ? [t('downloads', { count: usageCount })] : []),
      ]}
      actions={<SavedDocumentButtons document={document} onDeleted={onDeleted} />}
    />
  );
}

interface SavedDocumentButtonsProps {
  document: SavedDocument;
  onDeleted: () => void;
}

/** The buttons of a saved document in a list. */
export function SavedDocumentButtons({ document, onDeleted }: SavedDocumentButtonsProps) {
  const { t } = useTranslation();
  const isPhone = useIsMobile();
  const actions = useSavedDocumentActions(document, onDeleted);
  const { _id, title } = document;
  return (
    <>
      <LinkButton
        to={savedDocumentPath(_id)}
        variant="default"
        size="xs"
        leftSection={<EyeIcon size={16} />}
        aria-label={t('saved.viewOf', { title })}
      >
        {t('saved.view')}
      </LinkButton>
      {!isPhone && (
        <LinkButton
          to={editFormPath(_id)}
          variant="default"
          size="xs"
          leftSection={<EditIcon size={16} />}
          aria-label={t('saved.editOf', { title })}
        >
          {t('saved.edit')}
        </LinkButton>
      )}
      <ActionIcon
        variant="default"
        size="input-xs"
        loading={actions.download.isPending}
        aria-label={t('documentPages.downloadOf', { title })}
        title={t('result.downloadPdf')}
        onClick={() => actions.download.mutate('pdf')}
      >
        <DownloadIcon size={16} />
      </ActionIcon>
      <DocumentMenu document={document} actions={actions} showsDownloads />
    </>
  );
}
