import { useTranslation } from 'react-i18next';

import type { DerivedValue } from '@/shared/pages/messages';

import { FieldInput } from '../FieldInput';
import { structuredField, typeOfKind, type FieldSettings } from '../fieldSettings';
import { textProblem } from '../textProblem';
import { isList, valueOfType, type FieldValue, type Row } from '../values';
import { YesNoInput } from '../YesNoInput';

import { NestedList } from './NestedList';
import { PictureCell } from './PictureCell';

interface CellInputProps {
  /** The settings of the column. */
  settings: FieldSettings;
  row: Row;
  path: string;
  /** The accessible name. */
  name: string;
  lang: string;
  country: string | null;
  derivedValue: DerivedValue | undefined;
  /** Returns the label of a column. */
  labelOf: (column: string) => string;
  onFocus: (path: string) => void;
  onChange: (value: FieldValue) => void;
}

/** The input of one cell. */
export function CellInput(props: CellInputProps) {
  const { settings, row, path, name, lang, country, derivedValue, labelOf, onFocus, onChange } = props;
  const { t } = useTranslation();
  const type = typeOfKind(settings.kind);
  const value = valueOfType(row, structuredField(settings));
  const commonProps = { settings, cell: { path, name }, onFocus: () => onFocus(path) };
  if (type === 'picture' || type === 'signature') {
    return <PictureCell {...{ settings, value, path, name, lang, onChange }} onFocus={() => onFocus(path)} />;
  }
  if (isList(value)) {
    return <NestedList {...{ settings, path, name, lang, country, onFocus, onChange }} rows={value} />;
  }
  if (typeof value === 'boolean') {
    return <YesNoInput {...commonProps} checked={value} onChange={onChange} />;
  }
  if (typeof value !== 'string') return null;
  return (
    <FieldInput
      {...commonProps}
      value={value}
      lang={lang}
      country={country}
      derivedValue={derivedValue}
      labelOf={labelOf}
      offeredAnswers={null}
      error={textProblem(value, settings.kind, t)}
      onChange={onChange}
    />
  );
}
