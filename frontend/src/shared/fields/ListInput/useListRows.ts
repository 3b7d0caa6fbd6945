import { useLayoutEffect, useState } from 'react';

import type { FieldSettings } from '../fieldSettings';
import { isEmptyRow, type FieldValue, type Row } from '../values';

import { copyRow, createRow, indexOfKey, insertRows, moveRow, removeRow, rowKey, setCell } from './rows';

/** The changes of a list's rows. Its functions stay the same, so that rows need not be rendered again. */
export interface RowActions {
  setCell: (key: string, column: string, value: FieldValue) => void;
  /** Inserts an empty row after the one with this key, or at the end. Returns its index; -1 if the list is full. */
  insertAfter: (key: string | null) => number;
  /** Inserts a copy of a row after it. Returns its index; -1 if the list is full. */
  duplicate: (key: string) => number;
  /** Removes a row. Returns its index and the function that puts it back. */
  remove: (key: string) => { index: number; undo: () => void };
  /** Moves a row. Returns its new index and the number of rows. */
  move: (key: string, to: (index: number) => number) => { index: number; count: number };
  /** Adds rows at the end, in place of empty rows there, or replaces all rows. Returns the function that undoes it. */
  addAll: (added: readonly Row[], replaces: boolean) => () => void;
  /** Returns the index of a row now. */
  indexOf: (key: string) => number;
  count: () => number;
}

/** Returns the functions that change the rows of a list. */
export function useListRows(
  rows: readonly Row[],
  columns: readonly FieldSettings[],
  maxRows: number,
  onChange: (rows: Row[]) => void,
): RowActions {
  const [{ actions, update }] = useState(() => createActions({ rows, columns, maxRows, onChange }));
  useLayoutEffect(() => update({ rows, columns, maxRows, onChange }));
  return actions;
}

interface ListState {
  rows: readonly Row[];
  columns: readonly FieldSettings[];
  maxRows: number;
  onChange: (rows: Row[]) => void;
}

/** Returns the actions, and the function that tells them the state of the latest rendering. */
function createActions(initial: ListState): { actions: RowActions; update: (state: ListState) => void } {
  // Several changes may happen before the next rendering, so the latest rows are kept here.
  const latest = { current: initial };
  const change = (rows: Row[]) => {
    latest.current = { ...latest.current, rows };
    latest.current.onChange(rows);
  };
  const rows = () => latest.current.rows;
  const insert = (at: number, row: Row) => {
    if (rows().length >= latest.current.maxRows) return -1;
    change(insertRows(rows(), at, [row]));
    return at;
  };
  const actions: RowActions = {
    setCell: (key, column, value) => change(setCell(rows(), key, column, value)),
    insertAfter: (key) => {
      const index = key === null ? -1 : indexOfKey(rows(), key);
      return insert(index < 0 ? rows().length : index + 1, createRow(latest.current.columns));
    },
    duplicate: (key) => {
      const index = indexOfKey(rows(), key);
      const row = rows()[index];
      return row ? insert(index + 1, copyRow(row)) : -1;
    },
    remove: (key) => {
      const index = indexOfKey(rows(), key);
      const row = rows()[index];
      if (!row) return { index: -1, undo: () => undefined };
      change(removeRow(rows(), key));
      // Other rows may be changed before the removal is undone.
      return { index, undo: once(() => change(insertRows(rows(), index, [row]))) };
    },
    move: (key, to) => {
      const from = indexOfKey(rows(), key);
      const count = rows().length;
      const index = Math.min(Math.max(to(from), 0), count - 1);
      if (from >= 0 && index !== from) change(moveRow(rows(), from, index));
      return { index, count };
    },
    addAll: (added, replaces) => {
      const before = rows();
      let kept = before.length;
      while (!replaces && kept > 0 && isEmptyRow(before[kept - 1] ?? {})) kept -= 1;
      const start = replaces ? [] : before.slice(0, kept);
      const dropped = replaces ? before : before.slice(kept);
      const inserted = added.slice(0, Math.max(latest.current.maxRows - start.length, 0));
      change([...start, ...inserted]);
      const insertedKeys = new Set(inserted.map(rowKey));
      return once(() => {
        const others = rows().filter((row) => !insertedKeys.has(rowKey(row)));
        change(replaces ? [...dropped, ...others] : [...others, ...dropped]);
      });
    },
    indexOf: (key) => indexOfKey(rows(), key),
    count: () => rows().length,
  };
  return {
    actions,
    update: (state) => {
      latest.current = state;
    },
  };
}

/** Returns a function that does its work only the first time, because a toast can be clicked twice while it closes. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
