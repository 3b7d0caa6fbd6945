import { decodeCsv, MAX_CSV_BYTES, tableFromCsv, type Table } from './table';

/** Reads a CSV file. Returns the key of the text that explains why it cannot be used. */
export async function readCsvFile(
  file: File,
  language: string,
): Promise<{ table: Table } | { problem: 'tooLarge' | 'notCsv' | 'empty' }> {
  if (file.size > MAX_CSV_BYTES) return { problem: 'tooLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = decodeCsv(bytes, language);
  // Excel workbooks and other binary files have control characters.
  if (text.includes('\0') || text.startsWith('PK\u0003\u0004')) return { problem: 'notCsv' };
  const table = tableFromCsv(text);
  return table.length > 0 ? { table } : { problem: 'empty' };
}
