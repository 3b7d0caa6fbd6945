import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';

import { rememberCatalogue } from '@/shared/catalogueAddress';
import { PAGE_SIZE, pagesOf } from '@/shared/paging';
import { country } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { ActiveFilters } from './ActiveFilters';
import classes from './CataloguePage.module.css';
import { TemplateCard } from './TemplateCard';
import { Toolbar } from './Toolbar';
import { useCatalogue, useFilters } from './useCatalogue';

/** Every template there is, by its first page. */
export function CataloguePage() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { filters, change } = useFilters();
  const query = useCatalogue(filters);
  const { data, isPlaceholderData } = query;
  usePageTitle(t('catalogue.title'));

  const pages = pagesOf(data?.total ?? 0);
  const beyond = data !== undefined && !isPlaceholderData && filters.page > pages;
  // An address that names a page there is none of shows the first.
  useEffect(() => {
    if (beyond) change({ page: 1 }, true);
  });
  useEffect(() => rememberCatalogue(search), [search]);

  const skeleton = <CardSkeletons count={PAGE_SIZE} />;
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
      <ListState
        query={query}
        failed={t('catalogue.failed')}
        skeleton={skeleton}
        isEmpty={({ total }) => total === 0}
        empty={<Empty filtered={filters} onReset={() => change({ title: '', categories: [], lang: '' })} />}
      >
        {(found) =>
          beyond ? (
            skeleton
          ) : (
            <>
              <CardGrid label={t('catalogue.results')}>
                {found.data.map((template) => (
                  <TemplateCard key={template._id} template={template} />
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

interface EmptyProps {
  filtered: { title: string; lang: string; categories: string[] };
  onReset: () => void;
}

function Empty({ filtered, onReset }: EmptyProps) {
  const { t } = useTranslation();
  const chosenCountry = useStore(country);
  const resettable = filtered.title || filtered.lang || filtered.categories.length > 0;
  const narrowed = resettable || chosenCountry;
  return (
    <EmptyList
      title={narrowed ? t('catalogue.empty') : t('catalogue.emptyCatalogue')}
      hint={narrowed ? t('catalogue.emptyHint') : t('catalogue.emptyCatalogueHint')}
    >
      {resettable && (
        <Button variant="default" mt="sm" onClick={onReset}>
          {t('catalogue.reset')}
        </Button>
      )}
    </EmptyList>
  );
}
