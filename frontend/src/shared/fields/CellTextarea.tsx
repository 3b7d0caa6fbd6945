import type { ChangeEvent, KeyboardEvent, ReactNode } from 'react';

import type { CommonInputProps } from './FieldInput';
import classes from './fields.module.css';

interface CellTextareaProps extends Omit<CommonInputProps, 'label'> {
  /** True for addresses and numbers that are left-to-right in Arabic too. */
  isLeftToRight?: boolean;
  /** A button at the end of the text. */
  rightSection?: ReactNode;
  inputMode?: 'decimal' | 'email' | 'tel';
  autoCapitalize?: string;
  spellCheck?: boolean;
  'data-derived'?: boolean | undefined;
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

/**
 * The text input of a cell in a list. It is a plain element, because a list of 200 rows has a thousand of them, and
 * Mantine's input would take several times as long.
 */
export function CellTextarea(props: CellTextareaProps) {
  const { description, error, isLeftToRight, rightSection, ...inputProps } = props;
  const path = inputProps['data-input'];
  const notes = [description && `${path} note`, error && `${path} error`].filter(Boolean).map(toId).join(' ');
  return (
    <>
      <span className={classes['cellInput']}>
        <textarea
          {...inputProps}
          rows={1}
          dir={isLeftToRight ? 'ltr' : undefined}
          data-with-section={rightSection ? true : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={notes || undefined}
        />
        {rightSection && <span className={classes['cellSection']}>{rightSection}</span>}
      </span>
      {description && (
        <p id={toId(`${path} note`)} className={classes['cellNote']}>
          {description}
        </p>
      )}
      {error && (
        <p id={toId(`${path} error`)} className={classes['cellError']}>
          {error}
        </p>
      )}
    </>
  );
}

/** Returns an id without white space, which separates ids in `aria-describedby`. */
function toId(text: unknown): string {
  return String(text).replace(/\s+/g, '-');
}
