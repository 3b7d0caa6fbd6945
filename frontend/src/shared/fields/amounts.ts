/** The separators of digit groups and of decimals. */
export interface NumberStyle {
  group: string;
  decimal: string;
}

const NO_BREAK_SPACE = '\u00a0';
/** The Arabic-speaking countries of the Maghreb group digits as French does. */
const MAGHREB_COUNTRIES = ['DZ', 'EH', 'LY', 'MA', 'MR', 'TN'];

/** Returns the number style of a template's language and country: `1,500.50` or `1 500,50`. */
export function numberStyle(language: string, country: string | null): NumberStyle {
  const french =
    language.startsWith('fr') || (language.startsWith('ar') && MAGHREB_COUNTRIES.includes(country ?? ''));
  return french ? { group: NO_BREAK_SPACE, decimal: ',' } : { group: ',', decimal: '.' };
}

/** Longer numbers are account numbers rather than amounts. */
const MAX_DIGITS = 15;

const escapeRegExp = (text: string) => text.replace(/[.\\]/g, '\\$&');

/** Splits a text with one number into the text before it, its whole part, its decimals, and the text after it. */
function splitAmount(text: string, { group, decimal }: NumberStyle, strict: boolean) {
  const wholePattern = strict
    ? `\\d{1,3}(?:${escapeRegExp(group)}\\d{3})+|\\d+`
    : `\\d[\\d${escapeRegExp(group)}]*\\d|\\d`;
  const parts = new RegExp(
    `^(\\D*?)(${escapeRegExp(group)}?)(${wholePattern})(${escapeRegExp(group)}?)(${escapeRegExp(decimal)}\\d*)?(\\D*)$`,
  ).exec(text);
  if (!parts) return null;
  const [, before = '', loose = '', digits = '', trailing = '', decimals = '', behind = ''] = parts;
  if (strict && (loose || trailing)) return null;
  return { before, digits, decimals, behind };
}

/** Returns the text that was inserted when `before` became `after`. */
function insertedText(before: string, after: string): string {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  return after.slice(start, after.length - end);
}

/** A number with decimals as programs write it, with text around it: `12500.75`. Three decimals could be a group. */
const PLAIN_NUMBER = /^(\D*)(\d+)[.,](\d{1,2})(\D*)$/;

/**
 * Returns the typed text with its digits in groups: `1500` → `1,500`. The text is grouped only if digits were
 * inserted or text was deleted, and only if it is an amount in this style. `1.500,00` in a template with `1,500.00`
 * stays as typed. A pasted `12500.75` is written in the style too, and a typed point becomes the decimal separator.
 */
export function groupDigits(before: string, after: string, style: NumberStyle): string {
  const inserted = insertedText(before, after);
  // A key inserts one character.
  if (inserted.length > 1 && PLAIN_NUMBER.test(after))
    return groupWhole(after.replace(PLAIN_NUMBER, `$1$2${style.decimal}$3$4`), style);
  if (inserted === '.') return withTypedDecimal(after, style);
  if (!/^\d*$/.test(inserted)) return after;
  if (/\d/.test(before) && !splitAmount(before, style, true)) return after;
  return groupWhole(after, style);
}

/** A number with Arabic digits and a point. Their decimal separator is another character. */
const ARABIC_NUMBER = /^(\P{Nd}*[\u0660-\u0669]+)\.([\u0660-\u0669]*\P{Nd}*)$/u;

/** Returns a text whose point is the decimal separator of its number. The keypads of most keyboards have only a point. */
function withTypedDecimal(after: string, style: NumberStyle): string {
  if (ARABIC_NUMBER.test(after)) return after.replace(ARABIC_NUMBER, '$1\u066b$2');
  const at = after.indexOf('.');
  if (style.decimal === '.' || after.includes(style.decimal) || after.indexOf('.', at + 1) >= 0) return after;
  const parts = splitAmount(after.slice(0, at), style, true);
  // A number that begins with 0 may be a date.
  if (!parts || parts.behind || /^0\d/.test(parts.digits)) return after;
  return after.slice(0, at) + style.decimal + after.slice(at + 1);
}

/** Returns a text with the digits of its only number in groups. A text without a number of this style stays. */
function groupWhole(after: string, style: NumberStyle): string {
  const parts = splitAmount(after, style, false);
  if (!parts) return after;
  const digits = parts.digits.replaceAll(style.group, '');
  if (digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'))) return after;
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, style.group);
  return parts.before + grouped + parts.decimals + parts.behind;
}

/** Returns the caret position in `grouped` that corresponds to `caret` in `after`: after the same digit. */
export function caretAfterGrouping(
  grouped: string,
  after: string,
  caret: number,
  { group }: NumberStyle,
): number {
  let charactersLeft = [...after.slice(0, caret)].filter((letter) => letter !== group).length;
  let at = 0;
  while (charactersLeft > 0 && at < grouped.length) {
    if (grouped[at] !== group) charactersLeft--;
    at++;
  }
  return at;
}
