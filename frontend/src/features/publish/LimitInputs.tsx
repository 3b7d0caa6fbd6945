import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { MAX_PICTURE_MM, type FieldSettings } from '@/shared/fields/fieldSettings';
import { LIMITS } from '@/shared/settings';

import classes from './FieldsEditor.module.css';

type LimitName = 'minRows' | 'maxRows' | 'maxWidth' | 'maxHeight';

interface LimitInputsProps {
  settings: FieldSettings;
  disabled: boolean;
  onChange: (name: LimitName, value: number | undefined) => void;
}

/** The inputs for the minimum and maximum number of rows of a list. */
export function RowLimitInputs({ settings, ...props }: LimitInputsProps) {
  return (
    <div className={classes['pair']}>
      <LimitInput
        {...props}
        name="minRows"
        value={settings.minRows}
        least={0}
        most={settings.maxRows ?? LIMITS.listRows}
      />
      <LimitInput
        {...props}
        name="maxRows"
        value={settings.maxRows}
        least={Math.max(1, settings.minRows ?? 1)}
        most={LIMITS.listRows}
      />
    </div>
  );
}

/** The inputs for the maximum size of a picture, in millimetres. */
export function PictureSizeInputs({ settings, ...props }: LimitInputsProps) {
  return (
    <div className={classes['pair']}>
      {(['maxWidth', 'maxHeight'] as const).map((name) => (
        <LimitInput
          key={name}
          {...props}
          name={name}
          value={settings[name]}
          least={1}
          most={MAX_PICTURE_MM}
        />
      ))}
    </div>
  );
}

interface LimitInputProps extends Omit<LimitInputsProps, 'settings'> {
  name: LimitName;
  value: number | null | undefined;
  /** The range of valid numbers. */
  least: number;
  most: number;
}

/** Returns a whole number in Western or Arabic digits, or null for other texts. */
export function parseWholeNumber(text: string): number | null {
  const digits = text.trim().replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));
  return /^\d{1,4}$/.test(digits) ? Number(digits) : null;
}

/** The input of a whole number. An empty input sets no limit, and an invalid one changes nothing. */
function LimitInput({ name, value, least, most, disabled, onChange }: LimitInputProps) {
  const { t } = useTranslation();
  /** The text as typed, while it differs from the value. */
  const [typed, setTyped] = useState<string | null>(null);
  const parsed = typed === null ? null : parseWholeNumber(typed);
  const isInvalid =
    typed !== null && typed.trim() !== '' && (parsed === null || parsed < least || parsed > most);
  return (
    <TextInput
      size="xs"
      inputMode="numeric"
      autoComplete="off"
      label={t(`fieldEditor.${name}`)}
      error={isInvalid && t('fieldEditor.numberRange', { least, most })}
      disabled={disabled}
      value={isInvalid ? typed : String(value ?? '')}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const number = parseWholeNumber(text);
        if (text.trim() === '') onChange(name, undefined);
        else if (number !== null && number >= least && number <= most) onChange(name, number);
      }}
      onKeyDown={(event) => {
        // Enter must not publish the template.
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}
