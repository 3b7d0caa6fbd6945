/** How numbers are written: what stands between groups of three digits, and before the decimals. */
export interface NumberStyle {
  group: string;
  decimal: string;
}

const NO_BREAK_SPACE = '\u00a0';
/** Arabic as it is written in the Maghreb groups digits as French does. */
const MAGHREB = ['DZ', 'EH', 'LY', 'MA', 'MR', 'TN'];

/** How a template of this language and country writes numbers; `1,500.50` or `1 500,50`. */
export function numberStyle(language: string, country: string | null): NumberStyle {
  const french = language.startsWith('fr') || (language.startsWith('ar') && MAGHREB.includes(country ?? ''));
  return french ? { group: NO_BREAK_SPACE, decimal: ',' } : { group: ',', decimal: '.' };
}

/** More digits than any sum of money has: somebody's number of an account. */
const MOST_DIGITS = 15;

const escape = (text: string) => text.replace(/[.\\]/g, '\\$&');

/** A number with whatever stands around it: before, its whole part, its decimals, behind. */
function partsOf(text: string, { group, decimal }: NumberStyle, strict: boolean) {
  const whole = strict ? `\\d{1,3}(?:${escape(group)}\\d{3})+|\\d+` : `\\d[\\d${escape(group)}]*\\d|\\d`;
  const parts = new RegExp(
    `^(\\D*?)(${escape(group)}?)(${whole})(${escape(group)}?)(${escape(decimal)}\\d*)?(\\D*)$`,
  ).exec(text);
  if (!parts) return null;
  const [, before = '', loose = '', digits = '', trailing = '', decimals = '', behind = ''] = parts;
  if (strict && (loose || trailing)) return null;
  return { before, digits, decimals, behind };
}

/** What was put in where `before` became `after`. */
function inserted(before: string, after: string): string {
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

/**
 * What was typed with its digits in groups: `1500` → `1,500`. Only digits that come to a number, or go, do that: who writes a number
 * his own way, `1.500,00`, keeps it, and so does what is no amount.
 */
export function regrouped(before: string, after: string, style: NumberStyle): string {
  if (!/^\d*$/.test(inserted(before, after))) return after;
  if (/\d/.test(before) && !partsOf(before, style, true)) return after;
  const parts = partsOf(after, style, false);
  if (!parts) return after;
  const digits = parts.digits.replaceAll(style.group, '');
  if (digits.length > MOST_DIGITS || (digits.length > 1 && digits.startsWith('0'))) return after;
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, style.group);
  return parts.before + grouped + parts.decimals + parts.behind;
}

/** Where the caret of `after`, at `caret`, is in what it was grouped to: behind the same digit. */
export function caretIn(grouped: string, after: string, caret: number, { group }: NumberStyle): number {
  let left = [...after.slice(0, caret)].filter((letter) => letter !== group).length;
  let at = 0;
  while (left > 0 && at < grouped.length) {
    if (grouped[at] !== group) left--;
    at++;
  }
  return at;
}
