import { typeOfKind, type FieldSettings } from '../fieldSettings';
import { emptyValue, isList, type FieldValue, type Row } from '../values';

const keys = new WeakMap<Row, string>();
let lastKey = 0;

/** Returns the key of a row, by which it is recognised while it is moved or edited. Rows are stored without it. */
export function rowKey(row: Row): string {
  const known = keys.get(row);
  if (known !== undefined) return known;
  lastKey += 1;
  const key = `row-${lastKey}`;
  keys.set(row, key);
  return key;
}

/** Returns the index of the row with a key; -1 if it was removed. */
export function indexOfKey(rows: readonly Row[], key: string): number {
  return rows.findIndex((row) => rowKey(row) === key);
}

/** Returns a row without entries. */
export function createRow(columns: readonly FieldSettings[]): Row {
  return Object.fromEntries(columns.map(({ field, kind }) => [field, emptyValue(typeOfKind(kind))]));
}

/** Returns the rows with another value in one cell. */
export function setCell(rows: readonly Row[], key: string, column: string, value: FieldValue): Row[] {
  return rows.map((row) => {
    if (rowKey(row) !== key) return row;
    const changed = { ...row, [column]: value };
    keys.set(changed, key);
    return changed;
  });
}

/** Returns the rows with others inserted before the index `at`. */
export function insertRows(rows: readonly Row[], at: number, inserted: readonly Row[]): Row[] {
  const index = Math.min(Math.max(at, 0), rows.length);
  return [...rows.slice(0, index), ...inserted, ...rows.slice(index)];
}

/** Returns a copy of a row. The rows of lists in it are copied too, because each row has its own key. */
export function copyRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, isList(value) ? value.map(copyRow) : value]),
  );
}

export function removeRow(rows: readonly Row[], key: string): Row[] {
  return rows.filter((row) => rowKey(row) !== key);
}

/** Returns the rows with the one at `from` moved to the index `to`. */
export function moveRow(rows: readonly Row[], from: number, to: number): Row[] {
  const moved = rows[from];
  if (!moved || to < 0 || to >= rows.length) return [...rows];
  return insertRows(
    rows.filter((_, at) => at !== from),
    to,
    [moved],
  );
}
