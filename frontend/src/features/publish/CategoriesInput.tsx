import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { pick, suggestions } from './categories';

interface CategoriesInputProps {
  value: string;
  onChange: (value: string) => void;
  /** What there is, in the language of the interface. */
  labels: string[];
  description: string;
}

/** The list closes a moment after the field is left, so that a click into it still counts (specification §9). */
const CLOSES_AFTER_MS = 100;

export function CategoriesInput({ value, onChange, labels, description }: CategoriesInputProps) {
  const { t } = useTranslation();
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const offered = suggestions(value, labels);

  const choose = (label: string) => {
    onChange(pick(value, label));
    combobox.resetSelectedOption();
  };

  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.Target>
        <TextInput
          label={t('publish.categories')}
          description={description}
          dir="auto"
          autoComplete="off"
          value={value}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onFocus={() => {
            clearTimeout(closing.current);
            combobox.openDropdown();
          }}
          onBlur={() => {
            closing.current = setTimeout(() => combobox.closeDropdown(), CLOSES_AFTER_MS);
          }}
          onKeyDown={(event) => {
            // Arrows, Enter and Escape are the combobox's; Tab picks as well, and stays in the field.
            const highlighted = combobox.getSelectedOptionIndex();
            const label = offered[highlighted];
            if (event.key !== 'Tab' || event.shiftKey || !combobox.dropdownOpened || label === undefined)
              return;
            event.preventDefault();
            choose(label);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options aria-label={t('publish.suggestions')}>
          {offered.map((label) => (
            <Combobox.Option key={label} value={label}>
              <bdi>{label}</bdi>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
