import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Country } from '@/api/types';
import { useCountryName } from '@/shared/lookups';
import { chosenCountryStore as chosenCountry, visitorCountry } from '@/shared/preferences';
import { useStore } from '@/shared/store';

/** Says that a template was written for a country other than the visitor's, because its law may differ. */
export function ForeignLawNote({ country }: { country: Country | null | undefined }) {
  const { t } = useTranslation();
  const countryName = useCountryName();
  const visitor = visitorCountry(useStore(chosenCountry), navigator.languages);
  if (!country || country._id === visitor) return null;
  return (
    <Alert variant="light" color="yellow" mb="md" py="xs" role="note">
      {t('lawDiffers', { country: countryName(country) })}
    </Alert>
  );
}
