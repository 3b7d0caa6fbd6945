// The values of fields: texts, answers to yes/no questions, lists of rows, and pictures, as the API reads and writes
// them (crates/rules/src/value.rs).

/** The picture of a picture or signature field. */
export interface PictureValue {
  /** A PNG or JPEG file as a data URL. */
  image: string;
  /** The alternative text, for people who cannot see the picture. */
  alternativeText?: string;
}

/** A row of a list: the values of its columns by name. */
export interface Row {
  [column: string]: FieldValue;
}

export type FieldValue = string | boolean | Row[] | PictureValue;

/** The values of fields by name. */
export type FieldValues = Record<string, FieldValue>;

export type FieldType = 'text' | 'yes_no' | 'list' | 'picture' | 'signature' | 'qr_code';

/** A field of a template with its type. */
export interface StructuredField {
  name: string;
  type: FieldType;
  /** The columns of a list, in reading order. */
  columns?: StructuredField[];
}

const NO_COLUMNS: StructuredField[] = [];

/** Returns true if a text prints nothing: it has only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cf}\p{Cc}]/u.test(text);
}

export function isList(value: FieldValue): value is Row[] {
  return Array.isArray(value);
}

export function isPicture(value: FieldValue): value is PictureValue {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Returns the value of a field; an empty text if there is none. Names may be any text, such as `constructor`. */
export function fieldValue(values: FieldValues, field: string): FieldValue {
  return Object.hasOwn(values, field) ? (values[field] ?? '') : '';
}

/** Returns the text of a field; an empty text if it has no value, or a value of another type. */
export function textValue(values: FieldValues, field: string): string {
  const value = fieldValue(values, field);
  return typeof value === 'string' ? value : '';
}

/** Returns the value of a field that is not filled in. A picture field without a picture has an empty text. */
export function emptyValue(type: FieldType): FieldValue {
  if (type === 'list') return [];
  return type === 'yes_no' ? false : '';
}

/** Returns true if nothing was entered: a blank text, the answer no, or a list with only empty rows. */
export function isEmptyValue(value: FieldValue): boolean {
  if (typeof value === 'string') return isBlank(value);
  if (typeof value === 'boolean') return !value;
  return isList(value) && value.every(isEmptyRow);
}

export function isEmptyRow(row: Row): boolean {
  return Object.values(row).every(isEmptyValue);
}

/** Returns all texts of a value: those of its rows too, and the alternative texts of pictures. */
export function textsOf(value: FieldValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'boolean') return [];
  if (isList(value)) return value.flatMap((row) => Object.values(row).flatMap(textsOf));
  return value.alternativeText ? [value.alternativeText] : [];
}

/** Returns the pictures in a value: those of its rows too. */
export function picturesOf(value: FieldValue): PictureValue[] {
  if (isList(value)) return value.flatMap((row) => Object.values(row).flatMap(picturesOf));
  return isPicture(value) ? [value] : [];
}

/** Returns the number of rows of a list and of the lists in its rows. */
export function countRows(value: FieldValue): number {
  if (!isList(value)) return 0;
  return value.reduce(
    (sum, row) => sum + 1 + Object.values(row).reduce((inner, cell) => inner + countRows(cell), 0),
    0,
  );
}

/** Returns true if two values are the same. An empty text, the answer no and a list without rows are the same. */
export function areSameValues(one: FieldValue, other: FieldValue): boolean {
  if (one === other) return true;
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((row, at) => areSameRows(row, other[at] ?? {}));
  }
  if (isPicture(one) && isPicture(other)) {
    return one.image === other.image && (one.alternativeText ?? '') === (other.alternativeText ?? '');
  }
  return [one, other].every((value) => value === '' || value === false || (isList(value) && !value.length));
}

function areSameRows(one: Row, other: Row): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => areSameValues(fieldValue(one, name), fieldValue(other, name)));
}

/** The words and signs for yes and no that the server reads (crates/rules/src/yes_no.rs). */
const YES_WORDS = 'yes y true on checked oui o vrai coche cochee x 1 نعم'.split(' ');
const NO_WORDS = 'no n false off unchecked non faux decoche 0 لا ☐ -'.split(' ');

/** Returns the answer that a text gives; null if it is neither yes nor no. A blank text is no. */
export function parseYesNo(text: string): boolean | null {
  if (isBlank(text)) return false;
  if (/^[☒☑✓✔✗✘]+$/.test(text.trim())) return true;
  const word = text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
  if (YES_WORDS.includes(word)) return true;
  return NO_WORDS.includes(word) ? false : null;
}

/**
 * Converts a value of another form to the type of its field, as the server does: an answer for a text field becomes
 * `true` or `false`, a text for a yes/no field becomes an answer, and an empty text for a list becomes a list without
 * rows. Other values, and rows that do not change, stay the same objects.
 */
export function convertValue(value: FieldValue, field: StructuredField): FieldValue {
  switch (field.type) {
    case 'text':
    case 'qr_code':
      return typeof value === 'boolean' ? String(value) : value;
    case 'yes_no':
      return typeof value === 'string' ? (parseYesNo(value) ?? value) : value;
    case 'list': {
      if (typeof value === 'string') return isBlank(value) ? [] : value;
      if (!isList(value)) return value;
      const rows = value.map((row) => convertRow(row, field.columns ?? []));
      return rows.some((row, at) => row !== value[at]) ? rows : value;
    }
    default:
      return value;
  }
}

function convertRow(row: Row, columns: readonly StructuredField[]): Row {
  const changed = columns.flatMap((column): [string, FieldValue][] => {
    if (!Object.hasOwn(row, column.name)) return [];
    const before = fieldValue(row, column.name);
    const after = convertValue(before, column);
    return after === before ? [] : [[column.name, after]];
  });
  return changed.length > 0 ? { ...row, ...Object.fromEntries(changed) } : row;
}

/** Returns the value of a field as its input shows it: converted, or empty if it has another type. */
export function valueOfType(values: FieldValues, field: StructuredField): FieldValue {
  const value = convertValue(fieldValue(values, field.name), field);
  return hasType(value, field.type) ? value : emptyValue(field.type);
}

function hasType(value: FieldValue, type: FieldType): boolean {
  switch (type) {
    case 'text':
    case 'qr_code':
      return typeof value === 'string';
    case 'yes_no':
      return typeof value === 'boolean';
    case 'list':
      return isList(value);
    default:
      return isPicture(value);
  }
}

/**
 * Returns the value of a field as it is sent: each row has every column and no other, and blank texts are empty.
 */
export function completeValue(values: FieldValues, field: StructuredField): FieldValue {
  const value = valueOfType(values, field);
  if (typeof value === 'string') return isBlank(value) ? '' : value;
  return isList(value) ? value.map((row) => completeRow(row, field.columns)) : value;
}

/** The complete rows by the rows that they were made of, because a key in a long list changes only one row. */
const completeRows = new WeakMap<Row, { columns: StructuredField[]; complete: Row }>();

function completeRow(row: Row, columns: StructuredField[] = NO_COLUMNS): Row {
  const known = completeRows.get(row);
  if (known?.columns === columns) return known.complete;
  const complete = completeValues(row, columns);
  completeRows.set(row, { columns, complete });
  return complete;
}

/** Returns the values of all fields as they are sent, in the order of the fields. */
export function completeValues(values: FieldValues, fields: readonly StructuredField[]): FieldValues {
  return Object.fromEntries(fields.map((field) => [field.name, completeValue(values, field)]));
}
