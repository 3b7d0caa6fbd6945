import type { ComboboxItem, OptionsFilter } from '@mantine/core';

import { fold } from '@/shared/fold';

/** Filters options by the typed text, ignoring accents. */
export const foldedFilter: OptionsFilter = ({ options, search }) => {
  const wanted = fold(search);
  return options.filter(
    (option) => 'label' in option && fold((option as ComboboxItem).label).includes(wanted),
  );
};
