import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { responseBody, api } from '@/api/client';
import type { CategoryAuditEvent } from '@/api/types';
import { INTERFACE_LANGUAGES } from '@/shared/i18n/language';
import { useErrorText } from '@/shared/i18n/useErrorText';
import { categoryLabel, useCategories } from '@/shared/lookups';
import { Failure } from '@/shared/ui/Failure';
import { AuditLog } from '@/shared/ui/AuditLog';

import classes from './CategoriesPage.module.css';

const EVENT_TITLES = {
  renamed: 'templates.categoryRenamed',
  merged: 'templates.categoryMerged',
  separated: 'templates.categorySeparated',
} as const;

/** The audit log of categories: who has renamed, merged and separated them, and when. */
export function CategoryAuditLog() {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const { categories } = useCategories();
  const { data, error, refetch } = useQuery({
    queryKey: ['categories', 'history'],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/categories/history', { signal })),
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
  const currentLabel = (name: string) =>
    categories?.some((category) => category.name === name)
      ? categoryLabel(name, categories, i18n.language)
      : name;
  const isolatedLabel = (name: string | null | undefined) => `\u2068${name ? currentLabel(name) : ''}\u2069`;
  return (
    <AuditLog
      entries={data.history}
      title={({ what, category, other }) =>
        t(EVENT_TITLES[what], { category: isolatedLabel(category), other: isolatedLabel(other) })
      }
      author={({ by }) => (by ? (by.name ?? t('templates.byDeleted')) : t('templates.byInstallation'))}
      details={(entry) => <ChangedNames entry={entry} />}
    />
  );
}

/** The old and new names of a category. */
function ChangedNames({ entry: { from, to } }: { entry: CategoryAuditEvent }) {
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
