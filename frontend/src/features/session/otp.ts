/** The number of digits of a code (specification §9). */
export const OTP_LENGTH = 6;
/** The time until another code can be requested, in seconds (specification §9). */
export const RESEND_SECONDS = 60;

/** Returns the digits of a text as 0 to 9, in any script: `٤٢ ۷-1` → `4271`. */
export function extractDigits(text: string): string {
  return [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      for (const zero of [0x30, 0x0660, 0x06f0, 0xff10]) {
        if (code >= zero && code <= zero + 9) return String(code - zero);
      }
      return '';
    })
    .join('');
}

/**
 * Returns the boxes after `digits` were entered into the one at `index`, and the box to focus. A complete code always
 * starts at the first box. `isComplete` is true if all boxes are filled, and the last of them now: the last empty box, or
 * the sixth box of a code that is typed over another one.
 */
export function enterDigits(boxes: readonly string[], index: number, digits: string) {
  const start = digits.length >= OTP_LENGTH ? 0 : index;
  const fitting = digits.slice(0, OTP_LENGTH - start);
  const next = boxes.map((digit, at) => fitting[at - start] ?? digit);
  const isComplete =
    next.every(Boolean) && (boxes.some((digit) => !digit) || start + fitting.length === OTP_LENGTH);
  return { boxes: next, focus: Math.min(start + fitting.length, OTP_LENGTH - 1), isComplete };
}

/** Returns the new digit of a box that contained `before`, whether it was typed before or after the old one. */
export function replaceDigit(before: string, now: string): string {
  const digits = extractDigits(now);
  return before && digits.length === 2 ? digits.replace(before, '') || before : digits;
}
