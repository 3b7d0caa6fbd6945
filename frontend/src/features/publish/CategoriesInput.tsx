import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import { useCategories, useCategoryLabel } from '@/shared/lookups';

import classes from './CategoriesInput.module.css';
import { CLOSE_AFTER_BLUR_MS, fragmentOf, picked, suggestionsFor } from './categories';

interface CategoriesInputProps {
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
}

/** A list of categories separated by commas, with suggestions for the one being typed (specification §2). */
export function CategoriesInput({ value, onChange, disabled }: CategoriesInputProps) {
  const { t } = useTranslation();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [open, setOpen] = useState(false);
  /** The suggestion that Enter or Tab picks; none until something is typed or an arrow is pressed, so that Tab can go on. */
  const [highlight, setHighlight] = useState<number | null>(null);
  const { categories } = useCategories();
  const label = useCategoryLabel();
  const suggestions = suggestionsFor(
    value,
    (categories ?? []).map(({ name }) => label(name)),
  );
  const shown = open && suggestions.length > 0;
  const highlighted = shown && highlight !== null ? suggestions[highlight] : undefined;

  useEffect(() => () => clearTimeout(closing.current), []);

  const pick = (choice: string | undefined) => {
    if (choice === undefined) return;
    onChange(picked(value, choice));
    setHighlight(null);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = suggestions;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      if (length === 0) return;
      const down = event.key === 'ArrowDown';
      setHighlight((now) =>
        now === null ? (down ? 0 : length - 1) : (now + (down ? 1 : length - 1)) % length,
      );
    } else if (event.key === 'Enter') {
      // Enter picks or adds a category; it never publishes the template.
      event.preventDefault();
      pick(highlighted ?? (fragmentOf(value) || undefined));
    } else if (event.key === 'Tab' && !event.shiftKey && highlighted !== undefined) {
      event.preventDefault();
      pick(highlighted);
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };

  return (
    <div className={classes['field']}>
      <TextInput
        ref={input}
        label={t('publish.categories')}
        description={t('publish.categoriesHint', { category: label('general') })}
        autoComplete="off"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? listId : undefined}
        aria-activedescendant={highlighted === undefined ? undefined : `${listId}-${highlight}`}
        disabled={disabled ?? false}
        value={value}
        onChange={(event) => {
          const { value: typed } = event.currentTarget;
          onChange(typed);
          setHighlight(fragmentOf(typed) ? 0 : null);
          setOpen(true);
        }}
        onFocus={() => {
          clearTimeout(closing.current);
          setOpen(true);
        }}
        onBlur={() => {
          closing.current = setTimeout(() => setOpen(false), CLOSE_AFTER_BLUR_MS);
        }}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <ul id={listId} role="listbox" aria-label={t('publish.suggestions')} className={classes['list']}>
          {suggestions.map((name, index) => (
            <li
              key={name}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === highlight}
              className={classes['option']}
              onMouseEnter={() => setHighlight(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(name)}
            >
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
