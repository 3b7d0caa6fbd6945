import { Textarea, TextInput, type TextareaProps, type TextInputProps } from '@mantine/core';
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './Combobox.module.css';
import { typeOver } from './typeOver';

/**
 * The delay before the list closes after the focus has left, so that a click into it still arrives (specification
 * §9).
 */
export const CLOSE_AFTER_BLUR_MS = 100;

interface ListProps {
  /** The options for the current text. */
  options: readonly string[];
  /** The name of the list. */
  label: string;
  /** True if the label is visible, and announced when the list opens. */
  titled?: boolean;
  /** The language of the options. */
  lang?: string;
  /** True if the list opens on focus, and not only on a click. */
  opensOnFocus?: boolean;
  /**
   * If it returns true, typing selects the first option, which Enter and Tab pick. Otherwise an arrow key and Enter
   * are needed.
   */
  eager?: (typed: string) => boolean;
  /** Returns the text after an option was picked; by default the option. */
  picked?: (option: string) => string;
  /** True if further options can be picked afterwards. */
  several?: boolean;
  /** Called for Enter without a selected option; by default the input handles it. */
  onEnter?: () => void;
  /** Called when an option is picked in a browser that does not support simulated typing. */
  onChange: (value: string) => void;
}

type ComboboxProps = ListProps &
  (
    | { lines?: false; input: TextInputProps }
    /** A `textarea`, in which Enter inserts a line. It cannot have the role combobox (ARIA in HTML). */
    | { lines: true; input: TextareaProps }
  );

/**
 * A text input with a list of options, in the ARIA combobox pattern; other texts can be typed too. A picked option
 * is inserted as typed text, so that the browser can undo it.
 */
export function Combobox(props: ComboboxProps) {
  // The text around the input may be in another language.
  const { i18n } = useTranslation();
  const { options, label, titled, lang, opensOnFocus, eager, several, onEnter, onChange } = props;
  const picked = props.picked ?? ((option: string) => option);
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** True while a picked option is being inserted. */
  const picking = useRef(false);
  const [open, setOpen] = useState(false);
  /** The option that Enter picks. Null until an arrow key is pressed, so that Tab moves on. */
  const [highlight, setHighlight] = useState<number | null>(null);
  const { length } = options;
  const shown = open && length > 0;
  const highlighted = shown && highlight !== null ? options[highlight] : undefined;

  useEffect(() => () => clearTimeout(closing.current), []);
  const inHand = highlighted === undefined ? undefined : `${listId}-${highlight}`;
  useEffect(() => {
    if (inHand) document.getElementById(inHand)?.scrollIntoView({ block: 'nearest' });
  }, [inHand]);

  const close = () => {
    setOpen(false);
    setHighlight(null);
  };

  const element = () => box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');

  const pick = (option: string) => {
    const input = element();
    if (!input) return;
    const value = picked(option);
    clearTimeout(closing.current);
    picking.current = true;
    if (!typeOver(input, value)) onChange(value);
    picking.current = false;
    setHighlight(null);
    setOpen(several === true);
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
    } else if (event.key === 'Tab' && eager && !event.shiftKey && highlighted !== undefined) {
      event.preventDefault();
      pick(highlighted);
    } else if (event.key === 'Escape' && shown) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  const said = { 'aria-controls': shown ? listId : undefined, 'aria-activedescendant': inHand };
  const on = {
    onKeyDown,
    onInput: () => {
      if (picking.current) return;
      setHighlight(eager?.(element()?.value ?? '') ? 0 : null);
      setOpen(true);
    },
    onClick: () => setOpen(true),
    onFocus: (event: FocusEvent<HTMLInputElement & HTMLTextAreaElement>) => {
      clearTimeout(closing.current);
      if (opensOnFocus) setOpen(true);
      props.input.onFocus?.(event);
    },
    onBlur: () => {
      closing.current = setTimeout(close, CLOSE_AFTER_BLUR_MS);
    },
  };
  const suggests = length > 0 ? ({ 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' } as const) : {};

  return (
    <div ref={box} className={classes['box']}>
      {props.lines ? (
        <Textarea {...props.input} {...suggests} {...said} {...on} />
      ) : (
        <TextInput
          {...props.input}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={shown}
          {...said}
          {...on}
        />
      )}
      {shown && (
        <div className={classes['list']}>
          {titled && (
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
      {titled && (
        <p className="heard" role="status" lang={i18n.language}>
          {shown && label}
        </p>
      )}
    </div>
  );
}
