import { describe, expect, it } from 'vitest';

import type { FieldSettings } from '../fieldSettings';
import { readCsvFile } from './readCsvFile';
import {
  isTable,
  matchByHeading,
  matchColumns,
  rowsFromTable,
  tableFromClipboard,
  tableFromCsv,
} from './table';

const columns: FieldSettings[] = [
  { field: 'item', label: 'Description', kind: 'text' },
  { field: 'quantity', kind: 'number' },
  { field: 'price', label: 'Prix unitaire', kind: 'amount' },
  { field: 'gift', kind: 'yes_no' },
  { field: 'total', kind: 'amount', derivation: { kind: 'product', of: ['quantity', 'price'] } },
  { field: 'parts', kind: 'list', columns: [] },
];

describe('a table from the clipboard', () => {
  it('has the cells of Excel and Google Sheets, with line breaks and quotes in them', () => {
    expect(tableFromClipboard('Chair\t2\r\n"Table, ""oak""\r\nround"\t1\r\n')).toEqual([
      ['Chair', '2'],
      ['Table, "oak"\r\nround', '1'],
    ]);
  });

  it('has no empty rows and columns at its end, and equally long rows', () => {
    expect(tableFromClipboard('a\tb\t\t\n\t\t\n c \n\n')).toEqual([
      ['a', 'b'],
      ['c', ''],
    ]);
  });

  it('is told from the text of one cell', () => {
    expect(isTable('a\tb', 'text')).toBe(true);
    expect(isTable('a\r\nb\r\n', 'text')).toBe(true);
    expect(isTable('12 Rue X\nRabat', 'long_text')).toBe(false);
    expect(isTable('one line\n', 'text')).toBe(false);
  });
});

describe('a CSV file', () => {
  it.each([',', ';', '\t', '|'])('may have the delimiter %j', (delimiter) => {
    const line = (...cells: string[]) => cells.join(delimiter);
    expect(tableFromCsv(`\ufeff${line('a', 'b', 'c')}\n${line('1', '"2 2"', '3')}\n`)).toEqual([
      ['a', 'b', 'c'],
      ['1', '2 2', '3'],
    ]);
  });

  const file = (...parts: (string | number[])[]) =>
    new File(
      parts.map((part) => (typeof part === 'string' ? part : new Uint8Array(part))),
      'rows.csv',
    );

  it('is read in UTF-8, UTF-16 or the code page of the language', async () => {
    expect(await readCsvFile(file('é,b'), 'fr')).toEqual({ table: [['é', 'b']] });
    expect(await readCsvFile(file([0xff, 0xfe, 0x35, 0x06, 0x2c, 0, 0x62, 0]), 'ar')).toEqual({
      table: [['ص', 'b']],
    });
    expect(await readCsvFile(file([0xe9], ';b'), 'fr')).toEqual({ table: [['é', 'b']] });
    expect(await readCsvFile(file([0xd5], ';b'), 'ar')).toEqual({ table: [['ص', 'b']] });
  });

  it('that is none, empty or too large is refused', async () => {
    expect(await readCsvFile(file('PK\u0003\u0004abc'), 'en')).toEqual({ problem: 'notCsv' });
    expect(await readCsvFile(file([0, 1, 0, 2]), 'en')).toEqual({ problem: 'notCsv' });
    expect(await readCsvFile(file(' \n,,\n'), 'en')).toEqual({ problem: 'empty' });
    expect(await readCsvFile(file('x'.repeat(2_000_001)), 'en')).toEqual({ problem: 'tooLarge' });
  });

  it('is read up to a number of rows', () => {
    expect(tableFromCsv('a,b\n'.repeat(5_000))).toHaveLength(2_001);
  });
});

describe('the columns of a table', () => {
  it('are matched by name or label, whatever their case, accents, spaces and order', () => {
    const match = matchColumns(
      [
        ['PRIX-UNITAIRE', 'Quantity ', 'Remark', 'description'],
        ['1', '2', '3', '4'],
      ],
      columns,
    );
    expect(match).toEqual({ hasHeadings: true, targets: ['price', 'quantity', null, 'item'] });
  });

  it('are matched by a part of the name if another heading is equal', () => {
    expect(matchByHeading(['Quantity', 'Prix unitaire HT'], columns)).toEqual(['quantity', 'price']);
    expect(matchByHeading(['Some quantity', 'x'], columns)).toEqual([null, null]);
  });

  it('are matched by Arabic names with and without tashkeel', () => {
    const arabic: FieldSettings[] = [
      { field: 'الكمّية', kind: 'number' },
      { field: 'الأجرة', kind: 'amount' },
    ];
    expect(matchByHeading(['الاجره', 'الكمية'], arabic)).toEqual(['الأجرة', 'الكمّية']);
  });

  it('without headings go by position from the focused column, and skip derived columns', () => {
    const match = (width: number, start: number) =>
      matchColumns([Array.from({ length: width }, (_, at) => `${at}`)], columns, start);
    expect(match(2, 1)).toEqual({ hasHeadings: false, targets: ['quantity', 'price'] });
    expect(match(4, 2).targets).toEqual(['price', 'gift', null, null]);
    // The fifth column of the table is the total, which is computed.
    expect(match(5, 3).targets).toEqual(['item', 'quantity', 'price', 'gift', null]);
  });
});

it('rows of a table have every column, and answers for yes/no columns', () => {
  const table = [
    ['Description', 'Gift', 'Remark'],
    ['Chair', 'oui', 'x'],
    ['Table', '?', ''],
  ];
  expect(rowsFromTable(table, matchColumns(table, columns), columns)).toEqual([
    { item: 'Chair', quantity: '', price: '', gift: true, total: '', parts: [] },
    { item: 'Table', quantity: '', price: '', gift: false, total: '', parts: [] },
  ]);
});
