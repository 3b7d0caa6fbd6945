// Paths of values, as in the errors of the API: `items[3].price` is the column `price` in row 3, from 0, of the list
// `items`. No name of a field contains a square bracket.

/** A value inside of lists: the outermost field, and the row and column in each list. */
export interface ValuePath {
  field: string;
  /** The row numbers from 0, the outermost list first. */
  rows: number[];
  /** The names of the columns, the outermost list first. */
  columns: string[];
}

/** Returns the path of a column in a row of a list. */
export function cellPath(list: string, row: number, column: string): string {
  return `${list}[${row}].${column}`;
}

export function parsePath(path: string): ValuePath {
  const [field = '', ...rest] = path.split(/\[(\d+)\](?:\.|$)/);
  return {
    field,
    rows: rest.filter((_, at) => at % 2 === 0).map(Number),
    columns: rest.filter((part, at) => at % 2 === 1 && part !== ''),
  };
}

export function formatPath({ field, rows, columns }: ValuePath): string {
  return rows.reduce((path, row, at) => `${path}[${row}]${columns[at] ? `.${columns[at]}` : ''}`, field);
}
