import { Button, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useStoredSearch } from '@/shared/lastSearch';
import { useListFilters } from '@/shared/listFilters';
import { PAGE_SIZE, usePages } from '@/shared/paging';
import { CATALOGUE_PATH } from '@/shared/paths';
import { savedDocumentsQuery } from '@/shared/savedDocuments/useSavedDocument';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { LinkButton } from '@/shared/ui/LinkButton';
import { ListHeader } from '@/shared/ui/ListHeader';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { SearchField } from '@/shared/ui/SearchField';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { savedDocumentFilters, SORTS, toQuery } from './filters';
import classes from './MyDocumentsPage.module.css';
import { SavedCard } from './SavedCard';

/** The user's saved documents, each with its first page. */
export function MyDocumentsPage() {
  const { t } = useTranslation();
  const { filters, change } = useListFilters(savedDocumentFilters);
  const query = useQuery({ ...savedDocumentsQuery(toQuery(filters)), placeholderData: keepPreviousData });
  const { data } = query;
  const results = useRef<HTMLDivElement>(null);
  usePageTitle(t('saved.title'));
  useStoredSearch();
  const { pages, isBeyondLastPage } = usePages(query, filters.page, (page) => change({ page }, true));

  const skeleton = <CardSkeletons count={PAGE_SIZE} />;
  return (
    <>
      <ListHeader
        title={t('saved.title')}
        lead={t('saved.lead')}
        total={data && t('saved.total', { count: data.total })}
      />
      <p className={classes['hint']}>{t('saved.hint')}</p>
      <div className={classes['toolbar']} role="search">
        <SearchField text={filters.title} onChange={(title) => change({ title }, true)} />
        <Select
          aria-label={t('catalogue.sort')}
          w={176}
          allowDeselect={false}
          data={SORTS.map((value) => ({ value, label: t(`saved.${value}`) }))}
          value={filters.sort}
          onChange={(value) => change({ sort: SORTS.find((known) => known === value) ?? 'newest' })}
        />
      </div>
      <div ref={results} tabIndex={-1} className={classes['results']}>
        <ListState
          query={query}
          failed={t('saved.failed')}
          skeleton={skeleton}
          isEmpty={({ total }) => total === 0}
          empty={<EmptyResult searchText={filters.title} onReset={() => change({ title: '' })} />}
        >
          {(page) =>
            isBeyondLastPage ? (
              skeleton
            ) : (
              <>
                <CardGrid label={t('saved.results')}>
                  {page.savedDocuments.map((document) => (
                    <SavedCard
                      key={document._id}
                      document={document}
                      // Moves the focus to the list, because the focused card disappears.
                      onDeleted={() => results.current?.focus({ preventScroll: true })}
                    />
                  ))}
                </CardGrid>
                <Pagination page={filters.page} pages={pages} onChange={(page) => change({ page })} />
              </>
            )
          }
        </ListState>
      </div>
    </>
  );
}

function EmptyResult({ searchText, onReset }: { searchText: string; onReset: () => void }) {
  const { t } = useTranslation();
  if (searchText)
    return (
      <EmptyList title={t('saved.noneFound')} hint={t('saved.noneFoundHint')}>
        <Button variant="default" mt="sm" onClick={onReset}>
          {t('catalogue.clearSearch')}
        </Button>
      </EmptyList>
    );
  return (
    <EmptyList title={t('saved.empty')} hint={t('saved.emptyHint')}>
      <LinkButton to={CATALOGUE_PATH} mt="sm">
        {t('preview.toCatalogue')}
      </LinkButton>
    </EmptyList>
  );
}
