import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './OtpPage.module.css';
import { OTP_LENGTH, digitsOf, placed, typed } from './otp';

interface OtpInputProps {
  /** One digit or nothing for each box. */
  boxes: readonly string[];
  onChange: (boxes: string[]) => void;
  labelledBy: string;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** Six boxes for a code: they go on by themselves, backspace goes back, and a pasted or offered code fills them all. */
export function OtpInput({ boxes, onChange, labelledBy, invalid, describedBy }: OtpInputProps) {
  const { t } = useTranslation();
  const inputs = useRef<(HTMLInputElement | null)[]>([]);

  const focus = (index: number) => inputs.current[Math.max(0, Math.min(index, OTP_LENGTH - 1))]?.focus();
  const put = (index: number, digits: string) => {
    if (!digits) return;
    const next = placed(boxes, index, digits);
    onChange(next.boxes);
    focus(next.focus);
  };
  const empty = (index: number) => onChange(boxes.map((digit, at) => (at === index ? '' : digit)));

  const onKeyDown = (index: number, event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Backspace') {
      event.preventDefault();
      const target = boxes[index] ? index : Math.max(0, index - 1);
      empty(target);
      focus(target);
    } else if (event.key === 'Delete') {
      event.preventDefault();
      empty(index);
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault();
      focus(index + (event.key === 'ArrowRight' ? 1 : -1));
    }
  };

  return (
    <div role="group" aria-labelledby={labelledBy} className={classes['boxes']} dir="ltr">
      {boxes.map((digit, index) => (
        <input
          key={index}
          ref={(element) => {
            inputs.current[index] = element;
          }}
          className={classes['box']}
          inputMode="numeric"
          // The first one takes a code that the browser or the phone offers, so none of them has a maxLength.
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          aria-label={t('otpPage.digit', { digit: index + 1 })}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          autoFocus={index === 0}
          value={digit}
          onFocus={(event) => event.currentTarget.select()}
          // Not onChange, which says nothing where a digit takes the place of the same one.
          onInput={(event) => put(index, typed(digit, event.currentTarget.value))}
          onPaste={(event) => {
            event.preventDefault();
            put(index, digitsOf(event.clipboardData.getData('text')));
          }}
          onKeyDown={(event) => onKeyDown(index, event)}
        />
      ))}
    </div>
  );
}
