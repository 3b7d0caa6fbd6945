import { useTranslation } from 'react-i18next';

import type { Template } from '@/api/types';
import { useCategoryLabel, useCountryName, useLanguageName } from '@/shared/lookups';
import { catalogueTemplatePath } from '@/shared/paths';
import { Card } from '@/shared/ui/cards/Card';

/** A template of the catalogue with its picture and its number of fields. */
export function TemplateCard({ template, loadsEagerly }: { template: Template; loadsEagerly: boolean }) {
  const { t } = useTranslation();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  const countryName = useCountryName();
  const { thumbnail, smallThumbnail, thumbnailWidth, thumbnailHeight, usageCount } = template;
  return (
    <Card
      to={catalogueTemplatePath(template._id)}
      title={template.title}
      lang={template.language.code}
      picture={
        thumbnail
          ? { src: thumbnail, small: smallThumbnail, width: thumbnailWidth, height: thumbnailHeight }
          : null
      }
      loadsEagerly={loadsEagerly}
      badges={template.categories.map(label)}
      facts={[
        languageName(template.language),
        ...(template.country ? [countryName(template.country)] : []),
        t('pages', { count: template.pages }),
        t('fields', { count: template.fields.length }),
        // A count of zero is not shown, because it says nothing about the template.
        ...(usageCount > 0 ? [t('downloads', { count: usageCount })] : []),
      ]}
    />
  );
}
