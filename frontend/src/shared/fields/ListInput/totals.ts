import type { DerivedValue } from '@/shared/pages/messages';

import { numberStyle, groupDigits, type NumberStyle } from '../amounts';
import { cellPath } from '../paths';
import type { FieldSettings } from '../fieldSettings';
import { isBlank, textValue, type Row } from '../values';

/** A decimal number: `digits` × 10^-`decimals`. */
interface Decimal {
  digits: bigint;
  decimals: number;
}

/** The digits of Arabic (U+0660) and of Persian and Urdu (U+06F0), as Western digits. */
function westernDigits(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/٬/g, ',')
    .replace(/٫/g, '.');
}

/**
 * Returns the number in a text in a template's number style, with or without groups and a currency: `1,500.50 SAR`.
 * Returns null if the text has no number, several numbers, or separators of another style.
 */
export function parseDecimal(text: string, style: NumberStyle): Decimal | null {
  const parts = numberPattern(style).exec(westernDigits(text.normalize('NFKC')));
  if (!parts) return null;
  const [, sign, whole = '', fraction = ''] = parts;
  const digits = BigInt(whole.replace(/\D/g, '') + fraction);
  return { digits: sign ? -digits : digits, decimals: fraction.length };
}

const patterns = new Map<string, RegExp>();

/** Returns the pattern of a number: its sign, whole part and decimals. */
function numberPattern(style: NumberStyle): RegExp {
  const known = patterns.get(style.decimal);
  if (known) return known;
  // NFKC turns no-break spaces into spaces.
  const group = style.group === ',' ? '[, ]' : ' ';
  // A point before three digits separates groups in some countries with this style, so it is ambiguous.
  const decimal = style.decimal === ',' ? '(?:,|\\.(?!\\d{3}(?:\\D|$)))' : '\\.';
  const number = `(\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${decimal}(\\d+))?`;
  const pattern = new RegExp(`^[^\\d(−-]*([−-]?)[^\\d(−-]*(?<![.,])${number}\\D*$`);
  patterns.set(style.decimal, pattern);
  return pattern;
}

/** The numbers that were read, by their texts: a key in a long list changes only one of them. */
const knownNumbers = { decimal: '', byText: new Map<string, Decimal | null>() };
const MAX_KNOWN_NUMBERS = 5_000;

function parseKnownDecimal(text: string, style: NumberStyle): Decimal | null {
  const { byText } = knownNumbers;
  if (knownNumbers.decimal !== style.decimal || byText.size >= MAX_KNOWN_NUMBERS) byText.clear();
  knownNumbers.decimal = style.decimal;
  const known = byText.get(text);
  if (known !== undefined) return known;
  const number = parseDecimal(text, style);
  byText.set(text, number);
  return number;
}

function add(one: Decimal, other: Decimal): Decimal {
  const decimals = Math.max(one.decimals, other.decimals);
  const scaled = ({ digits, decimals: own }: Decimal) => digits * 10n ** BigInt(decimals - own);
  return { digits: scaled(one) + scaled(other), decimals };
}

function format({ digits, decimals }: Decimal, style: NumberStyle): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const grouped = groupDigits('', whole, style);
  return `${digits < 0n ? '-' : ''}${grouped}${decimals > 0 ? style.decimal + text.slice(-decimals) : ''}`;
}

/** Returns the sum of texts; null if there is no number, or if one of them is unreadable. Blank texts are skipped. */
export function sumOfTexts(texts: readonly string[], style: NumberStyle): string | null {
  const numbers = texts.filter((text) => !isBlank(text)).map((text) => parseKnownDecimal(text, style));
  let sum: Decimal | null = null;
  for (const number of numbers) {
    if (!number) return null;
    sum = sum ? add(sum, number) : number;
  }
  return sum && format(sum, style);
}

/** Returns true if the values of a column are numbers that can be added. */
export function isNumeric({ kind, derivation }: FieldSettings): boolean {
  if (kind === 'amount' || kind === 'number') return true;
  return Boolean(derivation && derivation.kind !== 'amount_in_words' && derivation.kind !== 'date_in_words');
}

/** Returns true if another column is computed by multiplying this one, such as a unit price, whose sum has no meaning. */
function isFactor({ field }: FieldSettings, columns: readonly FieldSettings[]): boolean {
  return columns.some(({ derivation }) => {
    if (derivation?.kind === 'product') return derivation.of.includes(field);
    return derivation?.kind === 'percentage' && 'field' in derivation.rate && derivation.rate.field === field;
  });
}

/**
 * Returns the total of each numeric column by name, but not of factors; null if a value is unreadable or none is entered.
 */
export function columnTotals(
  columns: readonly FieldSettings[],
  rows: readonly Row[],
  path: string,
  derivedValues: Record<string, DerivedValue>,
  lang: string,
  country: string | null,
): Record<string, string | null> {
  const style = numberStyle(lang, country);
  const shownText = (row: Row, at: number, column: string) => {
    const typed = textValue(row, column);
    const cell = cellPath(path, at, column);
    const derived = Object.hasOwn(derivedValues, cell) ? derivedValues[cell] : undefined;
    return isBlank(typed) && derived && 'text' in derived ? derived.text : typed;
  };
  return Object.fromEntries(
    columns
      .filter((column) => isNumeric(column) && !isFactor(column, columns))
      .map(({ field }) => [
        field,
        sumOfTexts(
          rows.map((row, at) => shownText(row, at, field)),
          style,
        ),
      ]),
  );
}
