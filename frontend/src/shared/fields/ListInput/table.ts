// Tables from spreadsheets: text of the clipboard, and CSV files.
import Papa from 'papaparse';

import { foldForSearch } from '@/shared/foldForSearch';

import { typeOfKind, type FieldSettings } from '../fieldSettings';
import { isBlank, parseYesNo, type FieldValue, type Row } from '../values';

import { createRow } from './rows';

/** The cells of a table, row by row. All rows are equally long. */
export type Table = string[][];

/** The largest CSV file that is read, in bytes, and the number of rows that are read. */
export const MAX_CSV_BYTES = 2_000_000;
const MAX_READ_ROWS = 2_001;

/** Returns the table in a text of the clipboard, where Excel and Google Sheets separate cells by tabs. */
export function tableFromClipboard(text: string): Table {
  return readTable(text, '\t');
}

/** Returns the table in a CSV text. The delimiter is detected: a comma, a semicolon, a tab or a bar. */
export function tableFromCsv(text: string): Table {
  return readTable(text, '');
}

function readTable(text: string, delimiter: string): Table {
  const { data } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''), {
    delimiter,
    preview: MAX_READ_ROWS,
    skipEmptyLines: false,
  });
  const filled = data.map((cells) => cells.map((cell) => cell.trim()));
  // Spreadsheets end the text with a line break, and often have empty rows and columns around the table.
  const rows = filled.filter((cells) => cells.some((cell) => !isBlank(cell)));
  const width = Math.max(
    0,
    ...rows.map((cells) => cells.reduce((last, cell, at) => (isBlank(cell) ? last : at + 1), 0)),
  );
  return rows.map((cells) => Array.from({ length: width }, (_, at) => cells[at] ?? ''));
}

/** Returns the text of a CSV file: UTF-8 or UTF-16, or else the Windows code page of the language. */
export function decodeCsv(bytes: Uint8Array<ArrayBuffer>, language: string): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(language.startsWith('ar') ? 'windows-1256' : 'windows-1252').decode(bytes);
  }
}

/** Returns true if pasted text is a part of a spreadsheet rather than a text of one cell. */
export function isTable(text: string, kind: FieldSettings['kind']): boolean {
  if (text.includes('\t')) return true;
  return kind !== 'long_text' && /\S[ \t]*\r?\n[ \t]*\S/.test(text);
}

/** The columns of a list that a table's columns go into; null for a column that is not used. */
export interface TableMatch {
  /** True if the first row has the headings. */
  hasHeadings: boolean;
  targets: (string | null)[];
}

/** Returns the name or label of a column for comparisons: without case, accents, punctuation and spaces. */
function foldHeading(text: string): string {
  return foldForSearch(text).replace(/[^\p{L}\p{N}%#]/gu, '');
}

/** Returns the columns that values can be pasted into, in order. */
export function pasteColumns(columns: readonly FieldSettings[]): FieldSettings[] {
  return columns.filter(({ kind }) => ['text', 'qr_code', 'yes_no'].includes(typeOfKind(kind)));
}

/**
 * Matches the columns of a table with those of a list: by name or label if the first row has headings, or else by
 * position from the column `start`. Derived columns take values only if they are named.
 */
export function matchColumns(table: Table, columns: readonly FieldSettings[], start = 0): TableMatch {
  const usable = pasteColumns(columns);
  const named = matchByHeading(table[0] ?? [], usable);
  if (named.some((target) => target !== null)) return { hasHeadings: true, targets: named };
  return { hasHeadings: false, targets: matchByPosition(table[0]?.length ?? 0, columns, start) };
}

/** Returns the column for each heading: the equal ones first, then those of which one contains the other. */
export function matchByHeading(
  headings: readonly string[],
  columns: readonly FieldSettings[],
): (string | null)[] {
  const usable = pasteColumns(columns);
  const targets: (string | null)[] = headings.map(() => null);
  const matchUnmatched = (fits: (heading: string, name: string) => boolean) => {
    headings.forEach((heading, at) => {
      const folded = foldHeading(heading);
      if (targets[at] !== null || folded === '') return;
      const found = usable.find(
        ({ field, label }) =>
          !targets.includes(field) &&
          [field, label ?? ''].map(foldHeading).some((name) => name !== '' && fits(folded, name)),
      );
      targets[at] = found?.field ?? null;
    });
  };
  matchUnmatched((heading, name) => heading === name);
  // A single similar word is not enough to take the first row for headings.
  if (targets.some((target) => target !== null)) {
    matchUnmatched((heading, name) => heading.includes(name) || name.includes(heading));
  }
  return targets;
}

/** Returns the columns for a table without headings, by position. */
export function matchByPosition(
  width: number,
  columns: readonly FieldSettings[],
  start = 0,
): (string | null)[] {
  const usable = pasteColumns(columns);
  // A table as wide as the list has the derived columns too. They are computed, so theirs are not used.
  const isWhole = width === usable.length;
  const first = isWhole ? 0 : usable.findIndex(({ field }) => field === columns[start]?.field);
  const candidates = usable.slice(Math.max(first, 0)).filter(({ derivation }) => isWhole || !derivation);
  return Array.from({ length: width }, (_, at) => {
    const target = candidates[at];
    return target && !target.derivation ? target.field : null;
  });
}

/** Returns the rows of a list from a table. */
export function rowsFromTable(
  table: Table,
  { hasHeadings, targets }: TableMatch,
  columns: readonly FieldSettings[],
): Row[] {
  return (hasHeadings ? table.slice(1) : table).map((cells) => {
    const entries = targets.flatMap((target, at): [string, FieldValue][] => {
      const column = columns.find(({ field }) => field === target);
      return column ? [[column.field, cellValue(cells[at] ?? '', column)]] : [];
    });
    return { ...createRow(columns), ...Object.fromEntries(entries) };
  });
}

function cellValue(text: string, { kind }: FieldSettings): FieldValue {
  return kind === 'yes_no' ? (parseYesNo(text) ?? false) : text;
}
