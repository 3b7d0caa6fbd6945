import { useTranslation } from 'react-i18next';

import type { Template } from '@/api/types';
import { useCategoryLabel, useLanguageName } from '@/shared/lookups';
import { templatePath } from '@/shared/paths';
import { Card } from '@/shared/ui/cards/Card';
import { EyeIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';

/** A template for admins, with its use count and its status. */
export function AdminTemplateCard({ template }: { template: Template }) {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  const { _id, title, language, thumbnail, smallThumbnail, usageCount, status } = template;
  const { thumbnailWidth: width, thumbnailHeight: height } = template;
  return (
    <Card
      to={templatePath(_id)}
      title={title}
      lang={language.code}
      picture={thumbnail ? { src: thumbnail, small: smallThumbnail, width, height } : null}
      badges={template.categories.map(label)}
      mark={status === 'inactive' ? t('templates.inactiveMark') : null}
      facts={[languageName(language), t('downloads', { count: usageCount })]}
      actions={
        <LinkButton
          to={templatePath(_id)}
          variant="default"
          size="xs"
          leftSection={<EyeIcon size={16} />}
          aria-label={t('templates.viewOf', { title })}
        >
          {t('templates.view')}
        </LinkButton>
      }
    />
  );
}
