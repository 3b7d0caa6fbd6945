import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '@/api/error';
import { useStoredSearch } from '@/shared/lastSearch';
import { PAGE_SIZE, usePages } from '@/shared/paging';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { ListHeader } from '@/shared/ui/ListHeader';
import { ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { ActiveFilters } from './ActiveFilters';
import { TemplateCard } from './TemplateCard';
import { Toolbar } from './Toolbar';
import { useCatalogue, useFilters } from './useCatalogue';

const EmptyResult = lazy(() => import('./EmptyResult').then((part) => ({ default: part.EmptyResult })));

/** Number of cards that are visible at once in any window; their pictures are loaded eagerly. */
const EAGER_CARDS = 4;

/** The catalogue of all templates, each with its first page. */
export function CataloguePage() {
  const { t } = useTranslation();
  const { filters, change } = useFilters();
  const query = useCatalogue(filters);
  const { data } = query;
  usePageTitle(t('catalogue.title'));

  // A URL with a page number that is too high shows the first page.
  const { pages, isBeyondLastPage } = usePages(query, filters.page, () => change({ page: 1 }, true));
  useStoredSearch();
  // So does a URL with an unknown language: it shows all languages.
  const hasUnknownLanguage = query.error instanceof ApiError && query.error.code === 'unknown_language';
  useEffect(() => {
    if (hasUnknownLanguage) change({ lang: '' }, true);
  });

  const skeleton = <CardSkeletons count={PAGE_SIZE} />;
  return (
    <>
      <ListHeader
        title={t('catalogue.title')}
        lead={t('catalogue.lead')}
        total={data && t('catalogue.total', { count: data.total })}
      />
      <Toolbar filters={filters} change={change} />
      <ActiveFilters filters={filters} change={change} />
      <ListState
        query={query}
        failed={t('catalogue.failed')}
        skeleton={skeleton}
        isEmpty={({ total }) => total === 0}
        empty={
          <Suspense fallback={skeleton}>
            <EmptyResult filters={filters} change={change} suggestions={data?.instead} />
          </Suspense>
        }
      >
        {(page) =>
          isBeyondLastPage ? (
            skeleton
          ) : (
            <>
              <CardGrid label={t('catalogue.results')}>
                {page.data.map((template, index) => (
                  <TemplateCard key={template._id} template={template} loadsEagerly={index < EAGER_CARDS} />
                ))}
              </CardGrid>
              <Pagination page={filters.page} pages={pages} onChange={(page) => change({ page })} />
            </>
          )
        }
      </ListState>
    </>
  );
}
