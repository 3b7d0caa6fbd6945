import type { ComboboxItem, OptionsFilter } from '@mantine/core';

import { foldForSearch } from '@/shared/foldForSearch';

/** Filters options by the typed text, ignoring accents. */
export const filterIgnoringAccents: OptionsFilter = ({ options, search }) => {
  const searched = foldForSearch(search);
  return options.filter(
    (option) => 'label' in option && foldForSearch((option as ComboboxItem).label).includes(searched),
  );
};
