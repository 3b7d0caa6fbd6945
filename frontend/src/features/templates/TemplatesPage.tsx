import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import { CATEGORIES, CREATE } from '@/shared/documents/paths';
import { PAGE_SIZE, pagesOf } from '@/shared/paging';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { PlusIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { TitleSearch } from '@/shared/ui/TitleSearch';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { AdminCard } from './AdminCard';
import { filtersOf, narrowing, searchOf, UNFILTERED, type Filters } from './filters';
import { Panels } from './Panels';
import classes from './TemplatesPage.module.css';
import { useCountOfAll, useTemplates } from './useTemplates';

/** All templates for admins, active and inactive. */
export function TemplatesPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const filters = filtersOf(search);
  const all = useCountOfAll();
  const query = useTemplates(filters);
  const { data, isPlaceholderData } = query;
  usePageTitle(t('templates.title'));

  /** Any change except of the page number leads back to the first page. `typing` replaces the URL. */
  const change = (what: Partial<Filters>, typing = false) =>
    setSearch((now) => searchOf({ ...filtersOf(now), page: 1, ...what }), {
      replace: typing,
      preventScrollReset: true,
    });

  const pages = pagesOf(data?.total ?? 0);
  const beyond = data !== undefined && !isPlaceholderData && filters.page > pages;
  // A URL with a page number that is too high shows the last page.
  useEffect(() => {
    if (beyond) change({ page: pages }, true);
  });

  const narrowed = filters.title !== '' || narrowing(filters) > 0;
  const skeleton = <CardSkeletons count={PAGE_SIZE} columns={3} />;
  return (
    <>
      <header className={classes['header']}>
        <div>
          <h1>{t('templates.title')}</h1>
          <p className={classes['total']}>
            {all !== undefined && t('templates.all', { count: all })}
            <span role="status">
              {narrowed && data && ` · ${t('templates.found', { count: data.total })}`}
            </span>
          </p>
        </div>
        <div className={classes['actions']}>
          <LinkButton to={CATEGORIES} variant="default">
            {t('templates.categories')}
          </LinkButton>
          <LinkButton to={CREATE} leftSection={<PlusIcon />}>
            {t('createDocument')}
          </LinkButton>
        </div>
      </header>
      <div className={classes['toolbar']} role="search">
        <TitleSearch title={filters.title} onChange={(title) => change({ title }, true)} />
        <Panels filters={filters} change={change} />
      </div>
      <ListState
        query={query}
        failed={t('templates.failed')}
        skeleton={skeleton}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyList
            title={narrowed ? t('templates.noneFound') : t('templates.empty')}
            hint={narrowed ? t('templates.noneFoundHint') : t('templates.emptyHint')}
          >
            {narrowed && (
              <Button variant="default" mt="sm" onClick={() => change(UNFILTERED)}>
                {t('templates.reset')}
              </Button>
            )}
          </EmptyList>
        }
      >
        {(found) =>
          beyond ? (
            skeleton
          ) : (
            <>
              <CardGrid label={t('templates.results')} columns={3}>
                {found.data.map((template) => (
                  <AdminCard key={template._id} template={template} />
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
