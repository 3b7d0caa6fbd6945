import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { useErrorText } from '@/shared/i18n/useErrorText';
import { country } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { Failure } from '@/shared/ui/Failure';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { ActiveFilters } from './ActiveFilters';
import { CardGrid, CardSkeletons } from './CardGrid';
import classes from './CataloguePage.module.css';
import { PageLinks } from './PageLinks';
import { Toolbar } from './Toolbar';
import { pagesOf } from './filters';
import { useCatalogue, useFilters } from './useCatalogue';

/** Every template there is, by its first page. */
export function CataloguePage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { filters, change } = useFilters();
  const { data, error, isPlaceholderData, refetch, isFetching } = useCatalogue(filters);
  usePageTitle(t('catalogue.title'));

  const pages = pagesOf(data?.total ?? 0);
  const beyond = data !== undefined && !isPlaceholderData && filters.page > pages;
  // An address that names a page there is none of shows the first.
  useEffect(() => {
    if (beyond) change({ page: 1 }, true);
  });

  return (
    <>
      <header className={classes['header']}>
        <div>
          <h1>{t('catalogue.title')}</h1>
          <p className={classes['lead']}>{t('catalogue.lead')}</p>
        </div>
        <p className={classes['total']} role="status">
          {data && t('catalogue.total', { count: data.total })}
        </p>
      </header>
      <Toolbar filters={filters} change={change} />
      <ActiveFilters filters={filters} change={change} />
      {error && !data ? (
        <Failure title={t('catalogue.failed')} hint={errorText(error)} onRetry={() => void refetch()} />
      ) : !data || beyond ? (
        <CardSkeletons />
      ) : data.total === 0 ? (
        <Empty filtered={filters} onReset={() => change({ title: '', categories: [], lang: '' })} />
      ) : (
        <div className={classes['results']} data-stale={(isPlaceholderData && isFetching) || undefined}>
          <CardGrid documents={data.data} />
          <PageLinks page={filters.page} pages={pages} onChange={(page) => change({ page })} />
        </div>
      )}
    </>
  );
}

interface EmptyProps {
  filtered: { title: string; lang: string; categories: string[] };
  onReset: () => void;
}

function Empty({ filtered, onReset }: EmptyProps) {
  const { t } = useTranslation();
  const chosenCountry = useStore(country);
  const filters = filtered.title || filtered.lang || filtered.categories.length > 0 || chosenCountry;
  return (
    <div className={classes['empty']}>
      <svg width="96" height="112" viewBox="0 0 96 112" aria-hidden="true" focusable="false">
        <rect
          x="20"
          y="10"
          width="64"
          height="90"
          rx="3"
          className={classes['under']}
          transform="rotate(5 52 55)"
        />
        <rect x="14" y="8" width="64" height="90" rx="3" className={classes['blank']} />
      </svg>
      <h2>{filters ? t('catalogue.empty') : t('catalogue.emptyCatalogue')}</h2>
      <p>{filters ? t('catalogue.emptyHint') : t('catalogue.emptyCatalogueHint')}</p>
      {(filtered.title || filtered.lang || filtered.categories.length > 0) && (
        <Button variant="default" mt="sm" onClick={onReset}>
          {t('catalogue.reset')}
        </Button>
      )}
    </div>
  );
}
