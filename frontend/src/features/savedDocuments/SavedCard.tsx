import { useTranslation } from 'react-i18next';

import type { SavedDocument } from '@/api/types';
import { formatDateTime } from '@/shared/i18n/format';
import { useFormattingLocale } from '@/shared/i18n/useFormat';
import { useCategoryLabel } from '@/shared/lookups';
import { editFormPath, savedDocumentPath } from '@/shared/paths';
import { Card } from '@/shared/ui/cards/Card';
import { EditIcon, EyeIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';

import { DocumentMenu } from './DocumentMenu';
import { useSavedDocumentActions } from './useSavedDocumentActions';

/** A saved document with its first page and its actions. */
export function SavedCard({ document, onDeleted }: { document: SavedDocument; onDeleted: () => void }) {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const locale = useFormattingLocale();
  const actions = useSavedDocumentActions(document, onDeleted);
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
      actions={
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
          <LinkButton
            to={editFormPath(_id)}
            variant="default"
            size="xs"
            leftSection={<EditIcon size={16} />}
            aria-label={t('saved.editOf', { title })}
          >
            {t('saved.edit')}
          </LinkButton>
          <DocumentMenu title={title} actions={actions} showsDownloads />
        </>
      }
    />
  );
}
