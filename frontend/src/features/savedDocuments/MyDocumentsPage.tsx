import { Button, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';

import { PAGE_SIZE, pageCount } from '@/shared/paging';
import { storeSavedDocumentsSearch } from '@/shared/savedDocuments/lastSearch';
import { savedDocumentsQuery } from '@/shared/savedDocuments/useSavedDocument';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { LinkButton } from '@/shared/ui/LinkButton';
import { ListHeader } from '@/shared/ui/ListHeader';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { SearchField } from '@/shared/ui/SearchField';
import { useIsMobile } from '@/shared/ui/useIsMobile';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { parseFilters, toQuery, toSearchParams, SORTS, type Filters } from './filters';
import classes from './MyDocumentsPage.module.css';
import { SavedCard } from './SavedCard';

/** The user's saved documents, each with its first page. */
export function MyDocumentsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const { search: address } = useLocation();
  const filters = parseFilters(search);
  const query = useQuery({ ...savedDocumentsQuery(toQuery(filters)), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  const results = useRef<HTMLDivElement>(null);
  const isPhone = useIsMobile();
  usePageTitle(t('saved.title'));
  useEffect(() => storeSavedDocumentsSearch(address), [address]);

  /** Any change except of the page number leads back to the first page. `typing` replaces the URL. */
  const change = (changes: Partial<Filters>, typing = false) =>
    setSearch((now) => toSearchParams({ ...parseFilters(now), page: 1, ...changes }), {
      replace: typing,
      preventScrollReset: true,
    });

  const pages = pageCount(data?.total ?? 0);
  const isBeyondLastPage = data !== undefined && !isPlaceholderData && filters.page > pages;
  // The last document of the last page was deleted, or the URL has a page number that is too high.
  useEffect(() => {
    if (isBeyondLastPage) change({ page: pages }, true);
  });

  const skeleton = <CardSkeletons count={PAGE_SIZE} />;
  return (
    <>
      <ListHeader
        title={t('saved.title')}
        lead={t('saved.lead')}
        total={data && t('saved.total', { count: data.total })}
      />
      <p className={classes['hint']}>
        {t('saved.hint')} {isPhone && t('documentPages.editOnComputer')}
      </p>
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
      <LinkButton to="/user-home/user-all-documents" mt="sm">
        {t('preview.toCatalogue')}
      </LinkButton>
    </EmptyList>
  );
}
