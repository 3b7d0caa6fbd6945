import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './OtpPage.module.css';
import { OTP_LENGTH, extractDigits, enterDigits, replaceDigit } from './otp';

interface OtpInputProps {
  /** One digit or an empty text for each box. */
  boxes: readonly string[];
  onChange: (boxes: string[]) => void;
  /** Called when the last digit of a code was entered. */
  onComplete: (boxes: string[]) => void;
  labelledBy: string;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/**
 * Six boxes for a code. The focus moves on with each digit and back with backspace; a pasted or suggested code
 * fills all. Mantine’s PinInput does not convert Arabic digits, and refuses a pasted `123-456`.
 */
export function OtpInput(props: OtpInputProps) {
  const { boxes, onChange, onComplete, labelledBy, invalid, describedBy } = props;
  const { t } = useTranslation();
  const inputs = useRef<(HTMLInputElement | null)[]>([]);

  const focus = (index: number) => inputs.current[Math.max(0, Math.min(index, OTP_LENGTH - 1))]?.focus();
  const enter = (index: number, digits: string) => {
    if (!digits) return;
    const next = enterDigits(boxes, index, digits);
    onChange(next.boxes);
    focus(next.focus);
    if (next.isComplete) onComplete(next.boxes);
  };
  const clearBox = (index: number) => onChange(boxes.map((digit, at) => (at === index ? '' : digit)));

  const onKeyDown = (index: number, event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Backspace') {
      event.preventDefault();
      const target = boxes[index] ? index : Math.max(0, index - 1);
      clearBox(target);
      focus(target);
    } else if (event.key === 'Delete') {
      event.preventDefault();
      clearBox(index);
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
          // The first box accepts a code that the browser or phone suggests, so no box has a maxLength.
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          aria-label={t('otpPage.digit', { digit: index + 1 })}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          autoFocus={index === 0}
          value={digit}
          onFocus={(event) => event.currentTarget.select()}
          // React's onChange is not called if a digit is replaced by the same digit.
          onInput={(event) => enter(index, replaceDigit(digit, event.currentTarget.value))}
          onPaste={(event) => {
            event.preventDefault();
            enter(index, extractDigits(event.clipboardData.getData('text')));
          }}
          onKeyDown={(event) => onKeyDown(index, event)}
        />
      ))}
    </div>
  );
}
