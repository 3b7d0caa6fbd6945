import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useListFilters } from '@/shared/listFilters';
import { PAGE_SIZE, usePages } from '@/shared/paging';
import { CATEGORIES_PATH, CREATE_TEMPLATE_PATH } from '@/shared/paths';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { PlusIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { SearchField } from '@/shared/ui/SearchField';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { AdminTemplateCard } from './AdminTemplateCard';
import { activeFilterCount, templateFilters, UNFILTERED } from './filters';
import { FilterPanels } from './FilterPanels';
import classes from './TemplatesPage.module.css';
import { useTemplateCount, useTemplates } from './useTemplates';

/** All templates for admins, active and inactive. */
export function TemplatesPage() {
  const { t } = useTranslation();
  const { filters, change } = useListFilters(templateFilters);
  const totalCount = useTemplateCount();
  const query = useTemplates(filters);
  const { data } = query;
  usePageTitle(t('templates.title'));

  const { pages, isBeyondLastPage } = usePages(query, filters.page, (page) => change({ page }, true));
  const isFiltered = filters.title !== '' || activeFilterCount(filters) > 0;
  const skeleton = <CardSkeletons count={PAGE_SIZE} columns={3} />;
  return (
    <>
      <header className={classes['header']}>
        <div>
          <h1>{t('templates.title')}</h1>
          <p className={classes['total']}>
            {totalCount !== undefined && t('templates.all', { count: totalCount })}
            <span role="status">
              {isFiltered && data && ` · ${t('templates.found', { count: data.total })}`}
            </span>
          </p>
        </div>
        <div className={classes['actions']}>
          <LinkButton to={CATEGORIES_PATH} variant="default">
            {t('templates.categories')}
          </LinkButton>
          <LinkButton to={CREATE_TEMPLATE_PATH} leftSection={<PlusIcon />}>
            {t('createDocument')}
          </LinkButton>
        </div>
      </header>
      <div className={classes['toolbar']} role="search">
        <SearchField text={filters.title} onChange={(title) => change({ title }, true)} />
        <FilterPanels filters={filters} change={change} />
      </div>
      <ListState
        query={query}
        failed={t('templates.failed')}
        skeleton={skeleton}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyList
            title={isFiltered ? t('templates.noneFound') : t('templates.empty')}
            hint={isFiltered ? t('templates.noneFoundHint') : t('templates.emptyHint')}
          >
            {isFiltered && (
              <Button variant="default" mt="sm" onClick={() => change(UNFILTERED)}>
                {t('templates.reset')}
              </Button>
            )}
          </EmptyList>
        }
      >
        {(page) =>
          isBeyondLastPage ? (
            skeleton
          ) : (
            <>
              <CardGrid label={t('templates.results')} columns={3}>
                {page.data.map((template) => (
                  <AdminTemplateCard key={template._id} template={template} />
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
