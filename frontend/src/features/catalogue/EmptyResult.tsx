import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { TemplateList } from '@/api/types';
import { applyFilterChange } from '@/shared/listFilters';
import { chooseCountry, chosenCountryStore, templateLanguageStore } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { EmptyList } from '@/shared/ui/ListState';

import classes from './EmptyResult.module.css';
import { catalogueFilters, type Filters } from './filters';

interface EmptyResultProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
  /** Suggestions for another search. */
  suggestions: TemplateList['instead'];
}

/** The page of an empty result: suggestions, results without the filters, and a way to start again. */
export function EmptyResult({ filters, change, suggestions }: EmptyResultProps) {
  const { t } = useTranslation();
  const chosenCountry = useStore(chosenCountryStore);
  const stored = useStore(templateLanguageStore);
  const isResettable = filters.title || filters.lang || filters.categories.length > 0;
  const isFiltered = isResettable || chosenCountry;
  const titles = suggestions?.titles ?? [];
  const unfiltered = suggestions?.unfiltered ?? 0;

  const searchEverywhere = () => {
    chooseCountry(null);
    change({ lang: '', categories: [] });
  };

  return (
    <EmptyList
      title={isFiltered ? t('catalogue.empty') : t('catalogue.emptyCatalogue')}
      hint={isFiltered ? t('catalogue.emptyHint') : t('catalogue.emptyCatalogueHint')}
    >
      {titles.length > 0 && (
        <p className={classes['meant']}>
          {t('catalogue.didYouMean')}
          {titles.map((title) => (
            <Link
              key={title}
              to={{
                search: catalogueFilters(stored).format(applyFilterChange(filters, { title })).toString(),
              }}
            >
              <bdi>{title}</bdi>
            </Link>
          ))}
        </p>
      )}
      {unfiltered > 0 && (
        <Button variant="light" mt="sm" onClick={searchEverywhere}>
          {t('catalogue.searchEverywhere', { count: unfiltered })}
        </Button>
      )}
      {isResettable && (
        <Button variant="default" mt="sm" onClick={() => change({ title: '', categories: [], lang: '' })}>
          {t('catalogue.reset')}
        </Button>
      )}
    </EmptyList>
  );
}
