import { Textarea, TextInput, VisuallyHidden, type TextareaProps, type TextInputProps } from '@mantine/core';
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './Combobox.module.css';
import { replaceAsTyped } from './replaceAsTyped';

/**
 * The delay before the list closes after the focus has left, so that a click into it still arrives (specification
 * §9).
 */
export const CLOSE_AFTER_BLUR_MS = 100;

interface OptionListProps {
  /** The options for the current text. */
  options: readonly string[];
  /** The name of the list. */
  label: string;
  /** True if the label is visible, and announced when the list opens. */
  showsLabel?: boolean;
  /** The language of the options. */
  lang?: string;
  /** True if the list opens on focus, and not only on a click. */
  opensOnFocus?: boolean;
  /**
   * If it returns true, typing selects the first option, which Enter and Tab pick. Otherwise an arrow key and Enter
   * are needed.
   */
  selectsFirst?: (typed: string) => boolean;
  /** Returns the text after an option was picked; by default the option. */
  textAfterPick?: (option: string) => string;
  /** True if further options can be picked afterwards. */
  isMultiple?: boolean;
  /** Called for Enter without a selected option; by default the input handles it. */
  onEnter?: () => void;
  /** Called when an option is picked in a browser that does not support simulated typing. */
  onChange: (value: string) => void;
}

type ComboboxProps = OptionListProps &
  (
    | { isMultiline?: false; input: TextInputProps }
    /**
     * A `textarea`, in which Enter inserts a line. It stays a text box: ARIA in HTML allows a `textarea` no other role,
     * and a text box has no `aria-expanded`. `aria-haspopup` and `aria-activedescendant` announce the list.
     */
    | { isMultiline: true; input: TextareaProps }
  );

/**
 * A text input with a list of options, in the ARIA combobox pattern; other texts can be typed too. A picked option
 * is inserted as typed text, so that the browser can undo it: Mantine's Combobox sets the value, which clears the
 * history of the text field.
 */
export function Combobox(props: ComboboxProps) {
  // The text around the input may be in another language.
  const { i18n } = useTranslation();
  const { options, label, showsLabel, lang, opensOnFocus, selectsFirst, isMultiple, onEnter, onChange } =
    props;
  const textAfterPick = props.textAfterPick ?? ((option: string) => option);
  const listId = useId();
  const container = useRef<HTMLDivElement>(null);
  const closeTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** True while a picked option is being inserted. */
  const isInserting = useRef(false);
  const [open, setOpen] = useState(false);
  /** The option that Enter picks. Null until an arrow key is pressed, so that Tab moves on. */
  const [highlight, setHighlight] = useState<number | null>(null);
  const { length } = options;
  const isShown = open && length > 0;
  const highlighted = isShown && highlight !== null ? options[highlight] : undefined;

  useEffect(() => () => clearTimeout(closeTimer.current), []);
  const activeOptionId = highlighted === undefined ? undefined : `${listId}-${highlight}`;
  useEffect(() => {
    if (activeOptionId) document.getElementById(activeOptionId)?.scrollIntoView({ block: 'nearest' });
  }, [activeOptionId]);

  const close = () => {
    setOpen(false);
    setHighlight(null);
  };

  const findInput = () =>
    container.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');

  const pick = (option: string) => {
    const input = findInput();
    if (!input) return;
    const value = textAfterPick(option);
    clearTimeout(closeTimer.current);
    isInserting.current = true;
    if (!replaceAsTyped(input, value)) onChange(value);
    isInserting.current = false;
    setHighlight(null);
    setOpen(isMultiple === true);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (length === 0) return;
      event.preventDefault();
      setOpen(true);
      const down = event.key === 'ArrowDown';
      setHighlight((now) =>
        now === null || now >= length ? (down ? 0 : length - 1) : (now + (down ? 1 : length - 1)) % length,
      );
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      if (highlighted === undefined && !onEnter) return;
      event.preventDefault();
      if (highlighted !== undefined) pick(highlighted);
      else onEnter?.();
    } else if (event.key === 'Tab' && selectsFirst && !event.shiftKey && highlighted !== undefined) {
      event.preventDefault();
      pick(highlighted);
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  const ariaProps = {
    'aria-controls': isShown ? listId : undefined,
    'aria-activedescendant': activeOptionId,
  };
  const handlers = {
    onKeyDown,
    onInput: () => {
      if (isInserting.current) return;
      setHighlight(selectsFirst?.(findInput()?.value ?? '') ? 0 : null);
      setOpen(true);
    },
    onClick: () => setOpen(true),
    onFocus: (event: FocusEvent<HTMLInputElement & HTMLTextAreaElement>) => {
      clearTimeout(closeTimer.current);
      if (opensOnFocus) setOpen(true);
      props.input.onFocus?.(event);
    },
    onBlur: (event: FocusEvent<HTMLInputElement & HTMLTextAreaElement>) => {
      closeTimer.current = setTimeout(close, CLOSE_AFTER_BLUR_MS);
      props.input.onBlur?.(event);
    },
  };
  const popupProps = length > 0 ? ({ 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' } as const) : {};

  return (
    <div ref={container} className={classes['box']}>
      {props.isMultiline ? (
        <Textarea {...props.input} {...popupProps} {...ariaProps} {...handlers} />
      ) : (
        <TextInput
          {...props.input}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown}
          {...ariaProps}
          {...handlers}
        />
      )}
      {isShown && (
        <div className={classes['list']}>
          {showsLabel && (
            <p className={classes['title']} lang={i18n.language} aria-hidden="true">
              {label}
            </p>
          )}
          <ul id={listId} role="listbox" aria-label={label} lang={lang}>
            {options.map((option, index) => (
              <li
                key={option}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === highlight}
                className={classes['option']}
                onMouseEnter={() => setHighlight(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(option)}
              >
                <bdi>{option}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {showsLabel && (
        <VisuallyHidden component="p" role="status" lang={i18n.language}>
          {isShown && label}
        </VisuallyHidden>
      )}
    </div>
  );
}
