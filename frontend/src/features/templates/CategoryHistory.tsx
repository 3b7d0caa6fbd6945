import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { answerOf, api } from '@/api/client';
import type { CategoryHistoryEntry } from '@/api/types';
import { INTERFACE_LANGUAGES } from '@/shared/i18n/language';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { categoryLabel, useCategories } from '@/shared/lookups';
import { Failure } from '@/shared/ui/Failure';
import { HistoryList } from '@/shared/ui/HistoryList';

import classes from './CategoriesPage.module.css';

const TITLES = {
  renamed: 'templates.categoryRenamed',
  merged: 'templates.categoryMerged',
  separated: 'templates.categorySeparated',
} as const;

/** The audit log of categories: who has renamed, merged and separated them, and when. */
export function CategoryHistory() {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { categories } = useCategories();
  const { data, error, refetch } = useQuery({
    queryKey: ['categories', 'history'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/categories/history', { signal })),
    // Always loaded again, to include the latest events.
    staleTime: 0,
  });
  if (error)
    return (
      <Failure title={t('templates.historyFailed')} hint={errorText(error)} onRetry={() => void refetch()} />
    );
  if (!data) return <p role="status">{t('loading')}</p>;
  if (data.history.length === 0) return <p>{t('templates.noHistory')}</p>;
  // A merged category has the label of its target by now; here its own name is shown.
  const shown = (name: string) =>
    categories?.some((category) => category.name === name)
      ? categoryLabel(name, categories, i18n.language)
      : name;
  const isolated = (name: string | null | undefined) => `\u2068${name ? shown(name) : ''}\u2069`;
  return (
    <HistoryList
      entries={data.history}
      title={({ what, category, other }) =>
        t(TITLES[what], { category: isolated(category), other: isolated(other) })
      }
      by={({ by }) => (by ? (by.name ?? t('templates.byDeleted')) : t('templates.byInstallation'))}
      more={(entry) => <Names entry={entry} />}
    />
  );
}

/** The old and new names of a category. */
function Names({ entry: { from, to } }: { entry: CategoryHistoryEntry }) {
  const changed = INTERFACE_LANGUAGES.filter((code) => from[code] !== to[code]);
  if (changed.length === 0) return null;
  return (
    <ul className={classes['changes']}>
      {changed.map((code) => (
        <li key={code} lang={code}>
          <bdi>{from[code] ?? '—'}</bdi> <span className="mirrored">→</span> <bdi>{to[code] ?? '—'}</bdi>
        </li>
      ))}
    </ul>
  );
}
