import { Button, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';

import { PAGE_SIZE, pagesOf } from '@/shared/paging';
import { rememberMine } from '@/shared/saved/address';
import { savedListQuery } from '@/shared/saved/useSaved';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { LinkButton } from '@/shared/ui/LinkButton';
import { ListHeader } from '@/shared/ui/ListHeader';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { TitleSearch } from '@/shared/ui/TitleSearch';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { filtersOf, queryOf, searchOf, SORTS, type Filters } from './filters';
import classes from './MyDocumentsPage.module.css';
import { SavedCard } from './SavedCard';

/** The user's saved documents, each with its first page. */
export function MyDocumentsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const { search: address } = useLocation();
  const filters = filtersOf(search);
  const query = useQuery({ ...savedListQuery(queryOf(filters)), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  const results = useRef<HTMLDivElement>(null);
  usePageTitle(t('saved.title'));
  useEffect(() => rememberMine(address), [address]);

  /** Any change except of the page number leads back to the first page. `typing` replaces the URL. */
  const change = (what: Partial<Filters>, typing = false) =>
    setSearch((now) => searchOf({ ...filtersOf(now), page: 1, ...what }), {
      replace: typing,
      preventScrollReset: true,
    });

  const pages = pagesOf(data?.total ?? 0);
  const beyond = data !== undefined && !isPlaceholderData && filters.page > pages;
  // The last document of the last page was deleted, or the URL has a page number that is too high.
  useEffect(() => {
    if (beyond) change({ page: pages }, true);
  });

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
        <TitleSearch title={filters.title} onChange={(title) => change({ title }, true)} />
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
          empty={<Empty searched={filters.title} onReset={() => change({ title: '' })} />}
        >
          {(found) =>
            beyond ? (
              skeleton
            ) : (
              <>
                <CardGrid label={t('saved.results')}>
                  {found.savedDocuments.map((document) => (
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

function Empty({ searched, onReset }: { searched: string; onReset: () => void }) {
  const { t } = useTranslation();
  if (searched)
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
