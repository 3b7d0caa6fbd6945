import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { DocumentList } from '@/api/types';
import { chooseCountry, country, languageCode } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { EmptyList } from '@/shared/ui/ListState';

import classes from './Empty.module.css';
import { changed, searchOf, type Filters } from './filters';

interface EmptyProps {
  filters: Filters;
  change: (what: Partial<Filters>) => void;
  /** Suggestions for another search. */
  instead: DocumentList['instead'];
}

/** The page of an empty result: suggestions, results without the filters, and a way to start again. */
export function Empty({ filters, change, instead }: EmptyProps) {
  const { t } = useTranslation();
  const chosenCountry = useStore(country);
  const stored = useStore(languageCode);
  const resettable = filters.title || filters.lang || filters.categories.length > 0;
  const narrowed = resettable || chosenCountry;
  const titles = instead?.titles ?? [];
  const unfiltered = instead?.unfiltered ?? 0;

  const searchEverywhere = () => {
    chooseCountry(null);
    change({ lang: '', categories: [] });
  };

  return (
    <EmptyList
      title={narrowed ? t('catalogue.empty') : t('catalogue.emptyCatalogue')}
      hint={narrowed ? t('catalogue.emptyHint') : t('catalogue.emptyCatalogueHint')}
    >
      {titles.length > 0 && (
        <p className={classes['meant']}>
          {t('catalogue.didYouMean')}
          {titles.map((title) => (
            <Link key={title} to={{ search: searchOf(changed(filters, { title }), stored).toString() }}>
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
      {resettable && (
        <Button variant="default" mt="sm" onClick={() => change({ title: '', categories: [], lang: '' })}>
          {t('catalogue.reset')}
        </Button>
      )}
    </EmptyList>
  );
}
