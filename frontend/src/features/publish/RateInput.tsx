import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Rate } from '@/shared/fields/fieldSettings';

/** The largest absolute value of a percentage, and its most decimals (the server's limits). */
const MAX_PERCENT = 1000;
const PERCENT = /^-?\d{1,4}(\.\d{1,9})?$/;
/** The value of the choice of a fixed percentage. A field's name cannot be empty. */
const FIXED = '';

/** Returns a percentage as it is sent, or null if the text is none. A comma and Arabic digits are accepted. */
export function parsePercent(text: string): string | null {
  const number = text
    .trim()
    .replace(/\s*[%٪]$/, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[,٫]/, '.');
  return PERCENT.test(number) && Math.abs(Number(number)) <= MAX_PERCENT ? number : null;
}

interface RateInputProps {
  rate: Rate;
  /** The fields that can contain the percentage. */
  data: { value: string; label: string }[];
  disabled: boolean;
  onChange: (rate: Rate) => void;
}

/** The inputs of a percentage: a fixed number, or the field that contains it. */
export function RateInput({ rate, data, disabled, onChange }: RateInputProps) {
  const { t } = useTranslation();
  const number = 'number' in rate ? rate.number : null;
  /** The text as typed; a text that is no percentage changes nothing. */
  const [typed, setTyped] = useState(number ?? '');
  const isInvalid = parsePercent(typed) === null;
  return (
    <>
      <Select
        size="xs"
        disabled={disabled}
        label={t('derivation.rate')}
        data={[{ value: FIXED, label: t('derivation.fixedRate') }, ...data]}
        allowDeselect={false}
        value={'field' in rate ? rate.field : FIXED}
        onChange={(value) => {
          if (value === null) return;
          onChange(value === FIXED ? { number: parsePercent(typed) ?? '0' } : { field: value });
        }}
      />
      {number !== null && (
        <TextInput
          size="xs"
          inputMode="decimal"
          autoComplete="off"
          disabled={disabled}
          label={t('derivation.percent')}
          rightSection="%"
          error={isInvalid && t('derivation.percentRange', { most: MAX_PERCENT })}
          value={isInvalid || parsePercent(typed) === number ? typed : number}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            const percent = parsePercent(text);
            if (percent !== null) onChange({ number: percent });
          }}
          onKeyDown={(event) => {
            // Enter must not publish the template.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      )}
    </>
  );
}
