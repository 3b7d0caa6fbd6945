import { Button, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useKeptSignature } from '@/shared/savedAnswers/keptSignature';

import classes from './pictures.module.css';
import type { PictureValue } from './pictureValue';

interface UseKeptSignatureProps {
  /** The label of the field. */
  label: string;
  onUse: (signature: PictureValue) => void;
}

/** Offers the kept signature for an empty field. Without one, it shows nothing. */
export function UseKeptSignature({ label, onUse }: UseKeptSignatureProps) {
  const { t } = useTranslation();
  const kept = useKeptSignature();
  if (!kept) return null;
  return (
    <Button
      variant="default"
      h="auto"
      py="xs"
      leftSection={<img className={classes['keptSignature']} src={kept.image} alt="" />}
      aria-label={t('signatureInput.useKeptOf', { field: label })}
      onClick={() => onUse(kept)}
    >
      {t('signatureInput.useKept')}
    </Button>
  );
}

interface KeepSignatureProps {
  value: PictureValue;
  onKeep: () => void;
  onDelete: () => void;
}

/** The choice whether this browser keeps the current signature for other documents. */
export function KeepSignature({ value, onKeep, onDelete }: KeepSignatureProps) {
  const { t } = useTranslation();
  return (
    <Checkbox
      size="sm"
      label={t('signatureInput.keepForOthers')}
      description={t('signatureInput.keepForOthersHint')}
      checked={useKeptSignature()?.image === value.image}
      onChange={(event) => (event.currentTarget.checked ? onKeep() : onDelete())}
    />
  );
}
