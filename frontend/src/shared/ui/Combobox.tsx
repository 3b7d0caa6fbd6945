import { Textarea, TextInput, type TextareaProps, type TextInputProps } from '@mantine/core';
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './Combobox.module.css';
import { typeOver } from './typeOver';

/** The list closes this long after the focus has left, so that a click into it still arrives (specification §9). */
export const CLOSE_AFTER_BLUR_MS = 100;

interface ListProps {
  /** What is offered for what the input holds now. */
  options: readonly string[];
  /** What the list is called. */
  label: string;
  /** The label is seen too, and said when the list opens. */
  titled?: boolean;
  /** The language of the options. */
  lang?: string;
  /** The list opens as soon as the input has the keyboard, and not only when it is pressed. */
  opensOnFocus?: boolean;
  /** Typing leads to the first option, which Enter and Tab then pick; else it wants an arrow, and Enter. */
  eager?: (typed: string) => boolean;
  /** What the input holds once an option is picked; left out: the option. */
  picked?: (option: string) => string;
  /** After picking, another can be picked. */
  several?: boolean;
  /** Enter where no option is in hand; left out: the input's own. */
  onEnter?: () => void;
  /** Where the browser types nothing by itself. */
  onChange: (value: string) => void;
}

type ComboboxProps = ListProps &
  (
    | { lines?: false; input: TextInputProps }
    /** A `textarea`, where Enter begins a line, and which cannot say that it is a combobox (ARIA in HTML). */
    | { lines: true; input: TextareaProps }
  );

/**
 * A text input with a list to choose from; anything else may be typed too (a combobox by the ARIA pattern). What is picked is typed over
 * what was there, so that the browser can undo it.
 */
export function Combobox(props: ComboboxProps) {
  // The input may stand among words of another language.
  const { i18n } = useTranslation();
  const { options, label, titled, lang, opensOnFocus, eager, several, onEnter, onChange } = props;
  const picked = props.picked ?? ((option: string) => option);
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What is typed now is an option that was picked. */
  const picking = useRef(false);
  const [open, setOpen] = useState(false);
  /** The option that Enter picks; none until an arrow is pressed, so that Tab can go on. */
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
