import type { ValueArea } from './messages';

/** The active value: the index of its field, and the rows and columns if it is in a list (shared/fields/paths.ts). */
export interface ActiveValue {
  field: number;
  rows: number[];
  columns: string[];
}

/**
 * Returns `value` for an area of the active value, and `row` for the other areas of its row. All values of a list are
 * areas of the list itself.
 */
export function isActiveArea(area: ValueArea, active: ActiveValue | null): 'value' | 'row' | null {
  if (!active || area.field !== active.field) return null;
  const { rows = [], columns = [] } = area;
  if (!active.rows.every((row, at) => rows[at] === row)) return null;
  // The row of an inner list is in the same column of the outer one.
  if (!active.columns.slice(0, active.rows.length - 1).every((column, at) => columns[at] === column))
    return null;
  return active.columns.every((column, at) => columns[at] === column) ? 'value' : 'row';
}
