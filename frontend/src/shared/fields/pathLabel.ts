import type { TFunction } from 'i18next';

import type { FieldSettings } from './fieldSettings';
import { parsePath } from './paths';

/** Returns the label of a field, or the label of a value in a list with its row: `Price, row 4 of Items`. */
export function pathLabel(settings: readonly FieldSettings[], path: string, t: TFunction): string {
  const { field, rows, columns } = parsePath(path);
  const ofField = settings.find((one) => one.field === field);
  let label = ofField?.label || field;
  let inList = ofField?.columns;
  rows.forEach((row, at) => {
    const column = inList?.find((one) => one.field === columns[at]);
    label = t('list.cell', { column: column?.label || columns[at] || '', row: row + 1, list: label });
    inList = column?.columns;
  });
  return label;
}
