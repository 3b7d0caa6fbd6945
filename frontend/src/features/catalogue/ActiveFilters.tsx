import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useCategoryLabel, useCountries } from '@/shared/lookups';
import { chooseCountry, country } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { CloseIcon } from '@/shared/ui/icons';

import classes from './ActiveFilters.module.css';
import type { Filters } from './filters';

interface ActiveFiltersProps {
  filters: Filters;
  change: (what: Partial<Filters>) => void;
}

/** What narrows the list besides its search box, as chips that can be taken off. */
export function ActiveFilters({ filters, change }: ActiveFiltersProps) {
  const { t } = useTranslation();
  const { countries } = useCountries();
  const label = useCategoryLabel();
  const chosenCountry = useStore(country);
  const countryName = chosenCountry ? countries?.find(({ _id }) => _id === chosenCountry)?.name : undefined;
  if (!countryName && filters.categories.length === 0) return null;
  return (
    <div className={classes['row']}>
      {countryName && (
        <button
          type="button"
          className={classes['chip']}
          aria-label={t('catalogue.removeCountry', { country: countryName })}
          onClick={() => chooseCountry(null)}
        >
          {t('catalogue.countryChip', { country: countryName })}
          <CloseIcon size={14} />
        </button>
      )}
      {filters.categories.map((name) => (
        <button
          key={name}
          type="button"
          className={classes['chip']}
          aria-label={t('catalogue.removeCategory', { category: label(name) })}
          onClick={() => change({ categories: filters.categories.filter((other) => other !== name) })}
        >
          <bdi>{label(name)}</bdi>
          <CloseIcon size={14} />
        </button>
      ))}
      {filters.categories.length > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          fw={400}
          onClick={() => change({ title: '', categories: [], lang: '' })}
        >
          {t('catalogue.reset')}
        </Button>
      )}
    </div>
  );
}
