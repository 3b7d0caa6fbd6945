import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';

import { undoToast } from '@/shared/ui/Toasts';

import type { RowMenuActions } from './RowMenu';
import type { RowActions } from './useListRows';

/** The commands of the rows. They change the rows, move the focus, and announce what happened. */
export interface RowCommands extends Pick<RowActions, 'setCell'> {
  menuOf: (key: string) => RowMenuActions;
  /** Adds a row after the one with this key, or at the end, and moves the focus into it. */
  insertAfter: (key: string | null) => void;
  /** Moves a row by a number of rows. The focus stays in its column. */
  moveBy: (key: string, step: number, column: number) => void;
  /** Moves a row to an index, without moving the focus. */
  moveTo: (key: string, index: number) => void;
  focusCell: (row: number, column: number) => void;
  /** Announces a text to screen readers. */
  announce: (text: string) => void;
}

const CELL_INPUT = '[data-column] [data-input]';

/** Moves the focus to the input of a cell; a row without inputs has the focus in its menu. */
function focusCellOf(container: HTMLElement | null, row: number, column: number): void {
  const element = container?.querySelectorAll('[data-row]')[row];
  const cell = element?.querySelectorAll('[data-column]')[column];
  const input =
    cell?.querySelector<HTMLElement>('[data-input]') ??
    element?.querySelector<HTMLElement>(`${CELL_INPUT}, [data-row-menu]`);
  if (!input) return;
  input.focus();
  if (input instanceof HTMLTextAreaElement || input instanceof HTMLInputElement) input.select();
}

/** Returns the commands of a list's rows, and the text to announce. */
export function useRowCommands(
  container: RefObject<HTMLElement | null>,
  actions: RowActions,
  listLabel: string,
  firstColumn: number,
) {
  const { t } = useTranslation();
  const [announcement, setAnnouncement] = useState('');
  /** The cell that gets the focus when the changed rows are shown; a negative row stands for the add button. */
  const cellToFocus = useRef<{ row: number; column: number } | null>(null);
  useLayoutEffect(() => {
    const cell = cellToFocus.current;
    if (!cell) return;
    cellToFocus.current = null;
    if (cell.row < 0) container.current?.querySelector<HTMLElement>('[data-add-row]')?.focus();
    else focusCellOf(container.current, cell.row, cell.column);
  });

  const commands = useMemo((): RowCommands => {
    const showInserted = (index: number, column: number) => {
      if (index < 0) {
        setAnnouncement(t('list.full', { count: actions.count() }));
        return;
      }
      cellToFocus.current = { row: index, column };
      setAnnouncement(t('list.added', { row: index + 1, list: listLabel }));
    };
    const moveTo = (key: string, to: (index: number) => number, column: number | null) => {
      const before = actions.indexOf(key);
      const { index, count } = actions.move(key, to);
      if (index === before) return;
      if (column !== null) cellToFocus.current = { row: index, column };
      setAnnouncement(t('list.moved', { row: index + 1, count }));
    };
    const remove = (key: string) => {
      const { index, undo } = actions.remove(key);
      if (index < 0) return;
      const left = actions.count();
      cellToFocus.current = { row: left === 0 ? -1 : Math.min(index, left - 1), column: firstColumn };
      undoToast(t('list.removed', { row: index + 1, list: listLabel }), t('undo'), undo);
    };
    return {
      setCell: actions.setCell,
      insertAfter: (key) => showInserted(actions.insertAfter(key), firstColumn),
      moveBy: (key, step, column) => moveTo(key, (index) => index + step, column),
      moveTo: (key, index) => moveTo(key, () => index, null),
      focusCell: (row, column) => focusCellOf(container.current, row, column),
      announce: setAnnouncement,
      menuOf: (key) => ({
        insertBelow: () => showInserted(actions.insertAfter(key), firstColumn),
        duplicate: () => showInserted(actions.duplicate(key), firstColumn),
        moveUp: () => moveTo(key, (index) => index - 1, firstColumn),
        moveDown: () => moveTo(key, (index) => index + 1, firstColumn),
        remove: () => remove(key),
      }),
    };
  }, [actions, container, firstColumn, listLabel, t]);
  return { commands, announcement };
}
