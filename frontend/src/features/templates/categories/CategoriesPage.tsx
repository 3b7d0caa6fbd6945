import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Category } from '@/api/types';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { categoryLabel, useCategories } from '@/shared/lookups';
import { TEMPLATES_PATH } from '@/shared/paths';
import { Failure } from '@/shared/ui/Failure';
import { BackIcon } from '@/shared/ui/icons';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import classes from './CategoriesPage.module.css';
import { CategoryAuditLog } from './CategoryAuditLog';
import { CategoryItem } from './CategoryItem';
import { MergeDialog } from './MergeDialog';
import { RenameDialog } from './RenameDialog';

/** The categories with their names in each language, and the actions to rename and merge them. */
export function CategoriesPage() {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { categories, error, refetch } = useCategories();
  const [open, setOpen] = useState<{ what: 'rename' | 'merge'; category: Category } | null>(null);
  usePageTitle(t('templates.categories'));
  const [historyOpen, setHistoryOpen] = useState(false);
  const close = () => setOpen(null);
  const label = (name: string) => categoryLabel(name, categories, i18n.language);

  return (
    <>
      <header className={classes['header']}>
        <Link to={TEMPLATES_PATH} className={classes['back']}>
          <BackIcon size={16} />
          {t('templates.title')}
        </Link>
        <h1>{t('templates.categories')}</h1>
        <p>{t('templates.categoriesLead')}</p>
      </header>
      {error && !categories && (
        <Failure
          title={t('templates.categoriesFailed')}
          hint={errorText(error)}
          onRetry={() => void refetch()}
        />
      )}
      <ul className={classes['list']} aria-label={t('templates.categories')}>
        {(categories ?? []).map((category) => (
          <CategoryItem
            key={category.name}
            category={category}
            label={label(category.name)}
            onRename={() => setOpen({ what: 'rename', category })}
            onMerge={() => setOpen({ what: 'merge', category })}
          />
        ))}
      </ul>
      {categories && (
        <details
          className={classes['history']}
          open={historyOpen}
          onToggle={(event) => setHistoryOpen(event.currentTarget.open)}
        >
          <summary>
            <h2>{t('templates.history')}</h2>
          </summary>
          {historyOpen && <CategoryAuditLog />}
        </details>
      )}
      {open?.what === 'rename' && <RenameDialog category={open.category} onClose={close} />}
      {open?.what === 'merge' && (
        <MergeDialog
          category={open.category}
          title={label(open.category.name)}
          others={(categories ?? [])
            .filter(({ name }) => name !== open.category.name)
            .map(({ name }) => ({ value: name, label: label(name) }))}
          onClose={close}
        />
      )}
    </>
  );
}
