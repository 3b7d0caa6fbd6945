import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Category } from '@/api/types';
import { INTERFACE_LANGUAGES } from '@/shared/i18n/language';
import { EditIcon } from '@/shared/ui/icons';

import classes from './CategoriesPage.module.css';
import { useSeparateCategory } from './useCategoryChanges';

/** The category of templates without any other. It cannot be merged into another one. */
const DEFAULT_CATEGORY = 'general';

interface CategoryItemProps {
  category: Category;
  label: string;
  onRename: () => void;
  onMerge: () => void;
}

/** A category with its names, the categories that are merged into it, and its actions. */
export function CategoryItem({ category, label, onRename, onMerge }: CategoryItemProps) {
  const { t } = useTranslation();
  const separate = useSeparateCategory();
  return (
    <li className={classes['category']}>
      <div className={classes['words']}>
        <h2>
          <bdi>{label}</bdi>
        </h2>
        <p className={classes['names']}>
          {INTERFACE_LANGUAGES.map((code) => (
            <span key={code} lang={code}>
              <bdi>{category.names[code] ?? '—'}</bdi>
            </span>
          ))}
        </p>
        <p className={classes['names']}>
          <span>{t('templates.all', { count: category.count })}</span>
          {category.merged.length > 0 && <span>{t('templates.merged')}</span>}
          {category.merged.map((name) => (
            <span key={name} className={classes['merged']}>
              <bdi>{name}</bdi>
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={t('templates.separateOf', { category: name })}
                disabled={separate.isPending}
                onClick={() => separate.mutate(name)}
              >
                {t('templates.separate')}
              </Button>
            </span>
          ))}
        </p>
      </div>
      <div className={classes['actions']}>
        <Button
          variant="default"
          size="xs"
          leftSection={<EditIcon size={16} />}
          aria-label={t('templates.renameOf', { category: label })}
          onClick={onRename}
        >
          {t('templates.rename')}
        </Button>
        {category.name !== DEFAULT_CATEGORY && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('templates.mergeOf', { category: label })}
            onClick={onMerge}
          >
            {t('templates.merge')}
          </Button>
        )}
      </div>
    </li>
  );
}
