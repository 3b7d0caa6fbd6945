import { VisuallyHidden } from '@mantine/core';
import {
  closestCenter,
  DndContext,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useMemo, type ClipboardEvent, type CSSProperties, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

import type { DerivedValue } from '@/shared/pages/messages';

import type { FieldKind, FieldSettings } from '../fieldSettings';
import { cellPath } from '../paths';
import type { Row } from '../values';

import { ColumnHeading } from './ColumnHeading';
import { GridRow } from './GridRow';
import classes from './ListInput.module.css';
import { arrowStep, rowCommand } from './navigation';
import { rowKey } from './rows';
import { isTable } from './table';
import { columnTotals, isNumeric } from './totals';
import type { RowCommands } from './useRowCommands';

interface GridProps {
  columns: readonly FieldSettings[];
  rows: readonly Row[];
  isFull: boolean;
  path: string;
  /** The label of the list, and the id of the element that shows it. */
  listLabel: string;
  labelledBy: string;
  lang: string;
  country: string | null;
  derivedValues: Record<string, DerivedValue>;
  commands: RowCommands;
  onFocus: (path: string) => void;
  /** Called with text from a spreadsheet that is pasted into a cell, and the index of the cell's column. */
  onPasteTable: (text: string, column: number) => void;
}

const features = tableFeatures({});
const columnHelper = createColumnHelper<typeof features, Row>();
/** The mouse must move this far, in pixels, before a row is dragged. */
const DRAG_START = { activationConstraint: { distance: 4 } };
/** Moves are announced by the list itself. */
const NO_DRAG_TEXTS = {
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
  screenReaderInstructions: { draggable: '' },
};
const NOTHING_DERIVED: Record<string, DerivedValue> = {};

/** The minimum width of a column in rem, by its kind. */
const COLUMN_WIDTHS: { [Kind in FieldKind]?: number } = {
  number: 5,
  amount: 6.25,
  date: 8.5,
  yes_no: 4,
  long_text: 10,
  choice: 7,
};
const DEFAULT_COLUMN_WIDTH = 7;
/** The kinds that are not text, whose columns need no more than their minimum width. */
const NARROW_KINDS: FieldKind[] = ['date', 'yes_no', 'picture', 'signature', 'list'];

function columnWidth(settings: FieldSettings): number {
  const width = COLUMN_WIDTHS[settings.kind] ?? DEFAULT_COLUMN_WIDTH;
  return isNumeric(settings) ? Math.min(width, 5.25) : width;
}

/** Returns the columns that share the width that is left: those with texts, or all. */
function growingColumns(columns: readonly FieldSettings[]): FieldSettings[] {
  const texts = columns.filter((column) => !isNumeric(column) && !NARROW_KINDS.includes(column.kind));
  return texts.length > 0 ? texts : [...columns];
}

/**
 * The rows of a list as a table. In a narrow place each row is a card. The elements are plain: Mantine's parts of a table
 * have a context that changes with each key, for which React would visit all cells.
 */
export function Grid(props: GridProps) {
  const { columns, rows, isFull, path, listLabel, labelledBy, lang, country, derivedValues } = props;
  const { commands, onFocus, onPasteTable } = props;
  const { t, i18n } = useTranslation();
  const growing = growingColumns(columns);
  const numeric = new Set(columns.filter(isNumeric).map(({ field }) => field));
  const totals = columnTotals(columns, rows, path, derivedValues, lang, country);
  const hasTotals = rows.length > 1 && Object.values(totals).some((total) => total !== null);

  const tableColumns = useMemo(
    () =>
      columnHelper.columns(
        columns.map((column) =>
          columnHelper.accessor((row) => row[column.field], {
            id: column.field,
            header: () => <ColumnHeading settings={column} columns={columns} />,
          }),
        ),
      ),
    [columns],
  );
  const table = useTable({ features, columns: tableColumns, data: rows as Row[], getRowId: rowKey });
  const keys = rows.map(rowKey).join(' ');
  // While only texts change, the same array is given to the drag and drop library, which renders no row again.
  const keyList = useMemo(() => (keys ? keys.split(' ') : []), [keys]);
  const sensors = useSensors(useSensor(PointerSensor, DRAG_START));
  const rowCount = rows.length;
  const derivedRows = useMemo(
    () => Array.from({ length: rowCount }, (_, at) => derivedOfRow(columns, path, at, derivedValues)),
    [columns, path, rowCount, derivedValues],
  );

  const dropRow = ({ active, over }: DragEndEvent) => {
    if (over) commands.moveTo(String(active.id), keyList.indexOf(String(over.id)));
  };

  /** Returns the position of the cell that an event comes from; null for other inputs, such as those in dialogs. */
  const cellOf = (event: { currentTarget: Element; target: EventTarget }) => {
    const element = event.target instanceof Element ? event.target : null;
    const cell = element?.closest('[data-column]');
    const key = cell?.closest('[data-row]')?.getAttribute('data-row');
    if (!element?.matches('[data-input]') || !cell || !key || !event.currentTarget.contains(cell))
      return null;
    const column = columns.findIndex(({ field }) => field === cell.getAttribute('data-column'));
    return { element, key, row: keyList.indexOf(key), column };
  };

  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const cell = cellOf(event);
    if (!cell) return;
    const { element, key, row, column } = cell;
    const command = rowCommand(event, element);
    if (command) {
      event.preventDefault();
      // In the form Ctrl with Enter generates the document.
      event.stopPropagation();
      if (command === 'up' || command === 'down') commands.moveBy(key, command === 'up' ? -1 : 1, column);
      else if (command === 'insert' || row === rows.length - 1) commands.insertAfter(key);
      else commands.focusCell(row + 1, column);
      return;
    }
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    const step = arrowStep(event.key, element, rightToLeft);
    const [nextRow, nextColumn] = [row + (step?.rows ?? 0), column + (step?.columns ?? 0)];
    if (!step || !keyList[nextRow] || !columns[nextColumn]) return;
    event.preventDefault();
    commands.focusCell(nextRow, nextColumn);
  };

  const handlePaste = (event: ClipboardEvent<HTMLElement>) => {
    const cell = cellOf(event);
    const column = cell && columns[cell.column];
    const text = event.clipboardData.getData('text/plain');
    if (!column || !isTable(text, column.kind)) return;
    event.preventDefault();
    onPasteTable(text, cell.column);
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={NO_DRAG_TEXTS}
      onDragEnd={dropRow}
    >
      <SortableContext items={keyList} strategy={verticalListSortingStrategy}>
        <div className={classes['scroll']}>
          <table
            role="table"
            aria-labelledby={labelledBy}
            className={classes['grid']}
            style={
              {
                '--grid-width': `${columns.reduce((sum, column) => sum + columnWidth(column), 5)}rem`,
              } as CSSProperties
            }
            onKeyDown={handleKey}
            onPaste={handlePaste}
          >
            <colgroup>
              <col style={{ width: '2.75rem' }} />
              {columns.map((column) => (
                <col
                  key={column.field}
                  style={growing.includes(column) ? undefined : { width: `${columnWidth(column)}rem` }}
                />
              ))}
              <col style={{ width: '2.25rem' }} />
            </colgroup>
            <thead role="rowgroup">
              {table.getHeaderGroups().map((group) => (
                <tr key={group.id} role="row">
                  <th scope="col" role="columnheader">
                    <VisuallyHidden lang={i18n.language}>{t('list.row')}</VisuallyHidden>
                  </th>
                  {group.headers.map((header) => (
                    <th
                      key={header.id}
                      scope="col"
                      role="columnheader"
                      data-numeric={numeric.has(header.column.id) || undefined}
                    >
                      <table.FlexRender header={header} />
                    </th>
                  ))}
                  <th scope="col" role="columnheader">
                    <VisuallyHidden lang={i18n.language}>{t('list.actions')}</VisuallyHidden>
                  </th>
                </tr>
              ))}
            </thead>
            <tbody role="rowgroup">
              {table.getRowModel().rows.map(({ id, index, original }) => (
                <GridRow
                  key={id}
                  id={id}
                  row={original}
                  index={index}
                  isLast={index === rows.length - 1}
                  isFull={isFull}
                  columns={columns}
                  path={path}
                  listLabel={listLabel}
                  lang={lang}
                  country={country}
                  derived={derivedRows[index] ?? NOTHING_DERIVED}
                  commands={commands}
                  onFocus={onFocus}
                />
              ))}
            </tbody>
            {hasTotals && (
              <tfoot role="rowgroup" className={classes['totals']}>
                <tr role="row">
                  <th scope="row" role="rowheader" className={classes['total']}>
                    <abbr title={t('list.total')} lang={i18n.language}>
                      Σ
                    </abbr>
                  </th>
                  {columns.map(({ field, label }) => {
                    const total = Object.hasOwn(totals, field) ? totals[field] : null;
                    return (
                      <td key={field} role="cell" data-total={total ? field : undefined}>
                        {total && (
                          <>
                            <span className={classes['cellLabel']} aria-hidden="true">
                              <span lang={i18n.language}>{t('list.total')}</span> ·{' '}
                              <bdi>{label || field}</bdi>
                            </span>
                            <bdi dir="ltr">{total}</bdi>
                          </>
                        )}
                      </td>
                    );
                  })}
                  <td role="cell" />
                </tr>
              </tfoot>
            )}
          </table>
        </div>
      </SortableContext>
    </DndContext>
  );
}

/** Returns the values of the derived columns in a row, by column. */
function derivedOfRow(
  columns: readonly FieldSettings[],
  path: string,
  row: number,
  derivedValues: Record<string, DerivedValue>,
): Record<string, DerivedValue> {
  const derived = columns.filter(({ derivation }) => derivation);
  if (derived.length === 0) return NOTHING_DERIVED;
  return Object.fromEntries(
    derived.flatMap(({ field }): [string, DerivedValue][] => {
      const cell = cellPath(path, row, field);
      const value = Object.hasOwn(derivedValues, cell) ? derivedValues[cell] : undefined;
      return value ? [[field, value]] : [];
    }),
  );
}
