import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useCategoryLabel, useCountries, useLanguageName, useLanguages } from '@/shared/lookups';
import { chooseCountry, chosenCountryStore } from '@/shared/preferences';
import { useStore } from '@/shared/store';
import { CloseIcon } from '@/shared/ui/icons';

import classes from './ActiveFilters.module.css';
import type { Filters } from './filters';

interface ActiveFiltersProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
}

/**
 * The active filters besides the search text, as removable chips. They are buttons, because the remove button of Mantine's
 * Pill is not in the tab order.
 */
export function ActiveFilters({ filters, change }: ActiveFiltersProps) {
  const { t } = useTranslation();
  const { countries } = useCountries();
  const { languages } = useLanguages();
  const label = useCategoryLabel();
  const languageName = useLanguageName();
  const chosenCountry = useStore(chosenCountryStore);
  const countryName = chosenCountry ? countries?.find(({ _id }) => _id === chosenCountry)?.name : undefined;
  const language = languages?.find(({ code }) => code === filters.lang);
  if (!countryName && !language && filters.categories.length === 0) return null;
  return (
    <div className={classes['row']}>
      {language && (
        <button
          type="button"
          className={classes['chip']}
          aria-label={t('catalogue.removeLanguage', { language: languageName(language) })}
          onClick={() => change({ lang: '' })}
        >
          {t('catalogue.languageChip', { language: languageName(language) })}
          <CloseIcon size={14} />
        </button>
      )}
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
