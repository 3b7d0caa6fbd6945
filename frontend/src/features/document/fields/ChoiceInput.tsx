import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import { fold } from '@/shared/fold';

import type { InputProps } from './FieldInput';
import classes from './fields.module.css';

/** So that a click into the list still arrives. */
const CLOSE_AFTER_BLUR_MS = 100;

interface ChoiceInputProps {
  input: InputProps;
  choices: string[];
  lang: string;
  onChange: (value: string) => void;
}

/** The choices that go on as `typed` begins; all of them, where nothing is typed or one of them is chosen. */
function fitting(choices: string[], typed: string): string[] {
  const wanted = fold(typed);
  if (!wanted || choices.some((choice) => fold(choice) === wanted)) return choices;
  return choices.filter((choice) => fold(choice).includes(wanted));
}

/** A text input with a list to choose from; anything else may be typed too (a combobox by the ARIA pattern). */
export function ChoiceInput({ input, choices, lang, onChange }: ChoiceInputProps) {
  const { t } = useTranslation();
  const listId = useId();
  const element = useRef<HTMLInputElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [open, setOpen] = useState(false);
  /** The choice that Enter picks; none until an arrow is pressed. */
  const [highlight, setHighlight] = useState<number | null>(null);
  const offered = fitting(choices, input.value);
  const shown = open && offered.length > 0;
  const highlighted = shown && highlight !== null ? offered[highlight] : undefined;

  useEffect(() => () => clearTimeout(closing.current), []);

  const pick = (choice: string) => {
    onChange(choice);
    setHighlight(null);
    setOpen(false);
    element.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = offered;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (length === 0) return;
      event.preventDefault();
      setOpen(true);
      const down = event.key === 'ArrowDown';
      setHighlight((now) =>
        now === null ? (down ? 0 : length - 1) : (now + (down ? 1 : length - 1)) % length,
      );
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      // It generates no document, as it does not in the other inputs.
      event.preventDefault();
      if (highlighted !== undefined) pick(highlighted);
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      setHighlight(null);
    }
  };

  return (
    <div className={classes['choice']}>
      <TextInput
        {...input}
        ref={element}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={shown ? listId : undefined}
        aria-activedescendant={highlighted === undefined ? undefined : `${listId}-${highlight}`}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setHighlight(null);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onFocus={() => {
          clearTimeout(closing.current);
          input.onFocus();
        }}
        onBlur={() => {
          closing.current = setTimeout(() => setOpen(false), CLOSE_AFTER_BLUR_MS);
        }}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <ul
          id={listId}
          role="listbox"
          aria-label={t('fieldInput.choices')}
          className={classes['list']}
          lang={lang}
        >
          {offered.map((choice, index) => (
            <li
              key={choice}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === highlight}
              className={classes['option']}
              onMouseEnter={() => setHighlight(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(choice)}
            >
              <bdi>{choice}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
