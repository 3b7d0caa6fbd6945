import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';

import type { DerivedValue } from '@/shared/pages/messages';

import type { FieldSettings } from '../fieldSettings';
import { GripIcon } from '../icons';
import { cellPath } from '../paths';
import type { Row } from '../values';

import { CellInput } from './CellInput';
import classes from './ListInput.module.css';
import { RowMenu } from './RowMenu';
import { isNumeric } from './totals';
import type { RowCommands } from './useRowCommands';

export interface GridRowProps {
  row: Row;
  /** The key of the row. */
  id: string;
  index: number;
  isLast: boolean;
  isFull: boolean;
  columns: readonly FieldSettings[];
  /** The path of the list. */
  path: string;
  /** The label of the list. */
  listLabel: string;
  lang: string;
  country: string | null;
  /** The values of the row's derived columns that are known so far, by column. */
  derived: Record<string, DerivedValue>;
  commands: RowCommands;
  onFocus: (path: string) => void;
}

/**
 * A row of a list. It is rendered again only if its own values change: its elements are plain, because Mantine's parts of
 * a table are rendered again with the table.
 */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, isLast, isFull, listLabel, commands } = props;
  const { t } = useTranslation();
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({
    id,
  });
  return (
    <tr
      ref={setNodeRef}
      role="row"
      data-row={id}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition: transition ?? undefined }}
    >
      <th scope="row" role="rowheader" className={classes['number'] ?? ''}>
        <span className={classes['numberAndGrip']}>
          {/* Alt with an arrow key and the menu of the row move it too. */}
          <span
            ref={setActivatorNodeRef}
            className={classes['grip']}
            {...listeners}
            aria-hidden="true"
            data-grip
          >
            <GripIcon size={16} />
          </span>
          {index + 1}
        </span>
      </th>
      <RowCells {...props} />
      <td role="cell" className={classes['actions'] ?? ''}>
        <RowMenu
          label={t('list.rowActions', { row: index + 1, list: listLabel })}
          isFirst={index === 0}
          isLast={isLast}
          isFull={isFull}
          actions={commands.menuOf(id)}
        />
      </td>
    </tr>
  );
}, areSameProps);

/** The cells, which dragging does not render again. */
const RowCells = memo(function RowCells(props: GridRowProps) {
  const { row, id, index, columns, path, listLabel, lang, country, derived, commands, onFocus } = props;
  const { t } = useTranslation();
  const labelOf = (field: string) => columns.find((one) => one.field === field)?.label || field;
  return columns.map((column) => {
    const { field } = column;
    const label = labelOf(field);
    return (
      <td
        key={field}
        role="cell"
        className={classes['cell'] ?? ''}
        data-column={field}
        data-numeric={isNumeric(column) || undefined}
      >
        <span className={classes['cellLabel']} aria-hidden="true">
          <bdi>{label}</bdi>
        </span>
        <CellInput
          settings={column}
          row={row}
          path={cellPath(path, index, field)}
          name={t('list.cell', { column: label, row: index + 1, list: listLabel })}
          lang={lang}
          country={country}
          derivedValue={Object.hasOwn(derived, field) ? derived[field] : undefined}
          labelOf={labelOf}
          onFocus={onFocus}
          onChange={(value) => commands.setCell(id, field, value)}
        />
      </td>
    );
  });
}, areSameProps);

function areSameProps(one: GridRowProps, other: GridRowProps): boolean {
  const names = Object.keys(one) as (keyof GridRowProps)[];
  return names.every((name) =>
    name === 'derived' ? areSameDerived(one.derived, other.derived) : Object.is(one[name], other[name]),
  );
}

function areSameDerived(one: GridRowProps['derived'], other: GridRowProps['derived']): boolean {
  if (one === other) return true;
  const textOf = (value: DerivedValue | undefined) => value && ('text' in value ? value.text : value.unsaid);
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => textOf(one[name]) === textOf(other[name]));
}
