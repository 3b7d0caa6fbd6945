import { FieldDescription, hasDescription } from './FieldInput';
import type { FieldSettings } from './fieldSettings';
import { PictureInput, SignatureInput } from './pictures';
import { isPicture, type FieldValue, type PictureValue } from './values';

interface PictureFieldProps {
  /** The settings of a picture or signature field, or of such a column. */
  settings: FieldSettings;
  /** The picture; an empty text if there is none. */
  value: FieldValue;
  /** The path and the accessible name of a cell in a list. */
  cell?: { path: string; name: string } | undefined;
  /** True if the user can keep a signature for other documents. */
  canKeep?: boolean;
  onFocus: () => void;
  onChange: (value: FieldValue) => void;
}

/** The input of a picture or signature. */
export function PictureField({ settings, value, cell, canKeep, onFocus, onChange }: PictureFieldProps) {
  const { field, kind, label } = settings;
  const props = {
    field: cell?.path ?? field,
    label: cell?.name ?? (label || field),
    description: hasDescription(settings) ? <FieldDescription settings={settings} /> : undefined,
    value: isPicture(value) ? value : undefined,
    onFocus,
    onChange: (picture: PictureValue | undefined) => onChange(picture ?? ''),
  };
  return kind === 'signature' ? (
    <SignatureInput {...props} canKeep={canKeep ?? false} />
  ) : (
    <PictureInput {...props} />
  );
}
