import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';

import { rememberCatalogue } from '@/shared/catalogueAddress';
import { PAGE_SIZE, pagesOf } from '@/shared/paging';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { ListHeader } from '@/shared/ui/ListHeader';
import { ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { ActiveFilters } from './ActiveFilters';
import { Empty } from './Empty';
import { TemplateCard } from './TemplateCard';
import { Toolbar } from './Toolbar';
import { useCatalogue, useFilters } from './useCatalogue';

/** Number of cards that are visible at once in any window; their pictures are loaded eagerly. */
const FIRST_ROW = 4;

/** The catalogue of all templates, each with its first page. */
export function CataloguePage() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { filters, change } = useFilters();
  const query = useCatalogue(filters);
  const { data, isPlaceholderData } = query;
  usePageTitle(t('catalogue.title'));

  const pages = pagesOf(data?.total ?? 0);
  const beyond = data !== undefined && !isPlaceholderData && filters.page > pages;
  // A URL with a page number that is too high shows the first page.
  useEffect(() => {
    if (beyond) change({ page: 1 }, true);
  });
  useEffect(() => rememberCatalogue(search), [search]);

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
        empty={<Empty filters={filters} change={change} instead={data?.instead} />}
      >
        {(found) =>
          beyond ? (
            skeleton
          ) : (
            <>
              <CardGrid label={t('catalogue.results')}>
                {found.data.map((template, index) => (
                  <TemplateCard key={template._id} template={template} eager={index < FIRST_ROW} />
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
