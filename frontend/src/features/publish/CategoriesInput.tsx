import { useTranslation } from 'react-i18next';

import { useCategories, useCategoryLabel } from '@/shared/lookups';
import { Combobox } from '@/shared/ui/Combobox';

import { lastEntry, pickCategory, suggestionsFor } from './categories';

interface CategoriesInputProps {
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
}

/** An input for categories separated by commas, with suggestions for the last one (specification §2). */
export function CategoriesInput({ value, onChange, disabled }: CategoriesInputProps) {
  const { t } = useTranslation();
  const { categories } = useCategories();
  const label = useCategoryLabel();
  const suggestions = suggestionsFor(
    value,
    (categories ?? []).map(({ name }) => label(name)),
  );
  return (
    <Combobox
      input={{
        label: t('publish.categories'),
        description: t('publish.categoriesHint', { category: label('general') }),
        autoComplete: 'off',
        disabled: disabled ?? false,
        value,
        onChange: (event) => onChange(event.currentTarget.value),
      }}
      options={suggestions}
      label={t('publish.suggestions')}
      opensOnFocus
      isMultiple
      selectsFirst={(typed) => lastEntry(typed) !== ''}
      textAfterPick={(name) => pickCategory(value, name)}
      // Enter picks or adds a category, and never publishes the template.
      onEnter={() => {
        const typed = lastEntry(value);
        if (typed) onChange(pickCategory(value, typed));
      }}
      onChange={onChange}
    />
  );
}
