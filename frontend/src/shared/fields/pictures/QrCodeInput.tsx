import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { PictureFieldProps } from './InputFrame';

interface QrCodeInputProps extends PictureFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** The input of a text or address that is printed as a QR code. */
export function QrCodeInput({
  field,
  label,
  description,
  error,
  value,
  onFocus,
  onChange,
}: QrCodeInputProps) {
  const { t } = useTranslation();
  return (
    <Textarea
      data-input={field}
      label={<bdi>{label}</bdi>}
      description={
        <>
          {description} {t('qrCodeInput.hint')}
        </>
      }
      error={error}
      autosize
      minRows={1}
      maxRows={6}
      autoComplete="off"
      value={value}
      {...(onFocus && { onFocus })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
