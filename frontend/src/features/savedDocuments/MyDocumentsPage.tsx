import { ActionIcon, Button, Group, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useStoredSearch } from '@/shared/lastSearch';
import { useListFilters } from '@/shared/listFilters';
import { PAGE_SIZE, usePages } from '@/shared/paging';
import { CATALOGUE_PATH } from '@/shared/paths';
import { savedDocumentsQuery } from '@/shared/savedDocuments/useSavedDocument';
import { readText, writeText } from '@/shared/storage';
import { CardGrid, CardSkeletons } from '@/shared/ui/cards/CardGrid';
import { BackIcon, createIcon, TrashIcon } from '@/shared/ui/icons';
import { LinkButton } from '@/shared/ui/LinkButton';
import { ListHeader } from '@/shared/ui/ListHeader';
import { EmptyList, ListState } from '@/shared/ui/ListState';
import { Pagination } from '@/shared/ui/Pagination';
import { SearchField } from '@/shared/ui/SearchField';
import { useIsMobile } from '@/shared/ui/useIsMobile';
import { usePageTitle } from '@/shared/ui/usePageTitle';

import { savedDocumentFilters, SORTS, toQuery } from './filters';
import classes from './MyDocumentsPage.module.css';
import { SavedCard } from './SavedCard';
import { SavedTable } from './SavedTable';

const DeletedDocuments = lazy(() =>
  import('./DeletedDocuments').then((list) => ({ default: list.DeletedDocuments })),
);

type View = 'cards' | 'list';

const VIEWS = [
  {
    view: 'cards',
    Icon: createIcon(<path d="M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z" />),
    label: 'documentPages.showCards',
  },
  {
    view: 'list',
    Icon: createIcon(<path d="M4 6h16M4 12h16M4 18h16" />),
    label: 'documentPages.showList',
  },
] as const;

/** The user's saved documents, each with its first page. */
export function MyDocumentsPage() {
  const { t } = useTranslation();
  const isPhone = useIsMobile();
  const { filters, change } = useListFilters(savedDocumentFilters);
  const query = useQuery({
    ...savedDocumentsQuery(toQuery(filters)),
    placeholderData: keepPreviousData,
    enabled: !filters.deleted,
  });
  const { data } = query;
  const [chosenView, setView] = useState<View>(() =>
    readText('savedDocumentsView') === 'list' ? 'list' : 'cards',
  );
  // A table needs some width.
  const isNarrow = useMediaQuery('(max-width: 60em)', undefined, { getInitialValueInEffect: false });
  const view = isNarrow ? 'cards' : chosenView;
  const results = useRef<HTMLDivElement>(null);
  usePageTitle(t('saved.title'));
  useStoredSearch();
  const { pages, isBeyondLastPage } = usePages(query, filters.page, (page) => change({ page }, true));

  /** Moves the focus to the list when the focused document disappears. */
  const focusResults = () => results.current?.focus({ preventScroll: true });
  const show = (chosen: View) => {
    setView(chosen);
    writeText('savedDocumentsView', chosen);
  };

  const skeleton = <CardSkeletons count={PAGE_SIZE} />;
  return (
    <>
      <ListHeader
        title={filters.deleted ? t('documentPages.recentlyDeleted') : t('saved.title')}
        lead={filters.deleted ? t('documentPages.deletedHint') : t('saved.lead')}
        total={filters.deleted ? '' : data && t('saved.total', { count: data.total })}
      />
      <p className={classes['hint']}>
        {t('saved.hint')} {isPhone && t('documentPages.editOnComputer')}
      </p>
      <div className={classes['toolbar']} role="search">
        <SearchField
          text={filters.title}
          label={t('documentPages.searchDocuments')}
          onChange={(title) => change({ title }, true)}
        />
        {!filters.deleted && (
          <Select
            aria-label={t('catalogue.sort')}
            w={176}
            allowDeselect={false}
            data={SORTS.map((value) => ({ value, label: t(`saved.${value}`) }))}
            value={filters.sort}
            onChange={(value) => change({ sort: SORTS.find((known) => known === value) ?? 'newest' })}
          />
        )}
        <Button
          variant="subtle"
          leftSection={filters.deleted ? <BackIcon /> : <TrashIcon />}
          onClick={() => change({ deleted: !filters.deleted, title: '' })}
        >
          {filters.deleted ? t('documentPages.toDocuments') : t('documentPages.recentlyDeleted')}
        </Button>
        {!isNarrow && !filters.deleted && (
          <Group gap={4} ms="auto">
            {VIEWS.map(({ view: offered, Icon, label }) => (
              <ActionIcon
                key={offered}
                variant={view === offered ? 'light' : 'default'}
                size="input-sm"
                aria-label={t(label)}
                title={t(label)}
                aria-pressed={view === offered}
                onClick={() => show(offered)}
              >
                <Icon />
              </ActionIcon>
            ))}
          </Group>
        )}
      </div>
      <div ref={results} tabIndex={-1} className={classes['results']}>
        {filters.deleted ? (
          <Suspense fallback={skeleton}>
            <DeletedDocuments
              title={filters.title}
              page={filters.page}
              onPage={(page) => change({ page })}
              onRestored={focusResults}
            />
          </Suspense>
        ) : (
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
                  {view === 'list' ? (
                    <SavedTable
                      documents={page.savedDocuments}
                      label={t('saved.results')}
                      onDeleted={focusResults}
                    />
                  ) : (
                    <CardGrid label={t('saved.results')}>
                      {page.savedDocuments.map((document) => (
                        <SavedCard key={document._id} document={document} onDeleted={focusResults} />
                      ))}
                    </CardGrid>
                  )}
                  <Pagination page={filters.page} pages={pages} onChange={(page) => change({ page })} />
                </>
              )
            }
          </ListState>
        )}
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
