import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useCountries } from '@/shared/lookups';
import { chooseCountry, chosenCountryStore } from '@/shared/preferences';
import { useStore } from '@/shared/store';

import { filterIgnoringAccents } from './filterIgnoringAccents';
import { PinIcon } from './icons';

/** The choice of the country whose templates are shown. It is stored and applied at once. */
export function CountrySelect() {
  const { t } = useTranslation();
  const { countries, isError, refetch } = useCountries();
  const chosen = useStore(chosenCountryStore);
  if (isError) {
    return (
      <Button variant="default" leftSection={<PinIcon />} onClick={() => void refetch()}>
        {t('retryOf', { what: t('country') })}
      </Button>
    );
  }
  return (
    <Select
      aria-label={t('country')}
      w={208}
      leftSection={<PinIcon />}
      leftSectionPointerEvents="none"
      placeholder={t('allCountries')}
      nothingFoundMessage={t('nothingFound')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('allCountries') }}
      filter={filterIgnoringAccents}
      data={(countries ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
      value={countries ? chosen : null}
      onChange={chooseCountry}
    />
  );
}
