/** Digits of a code (specification §9). */
export const OTP_LENGTH = 6;
/** Until another code can be asked for (specification §9). */
export const RESEND_SECONDS = 60;

/** The digits of a text as 0 to 9, whatever script they are typed in: `٤٢ ۷-1` → `4271`. */
export function digitsOf(text: string): string {
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

/** Boxes after `digits` came into the one at `index`, and where the keyboard goes on. A whole code fills from the first. */
export function placed(boxes: readonly string[], index: number, digits: string) {
  const start = digits.length >= OTP_LENGTH ? 0 : index;
  const kept = digits.slice(0, OTP_LENGTH - start);
  const next = boxes.map((digit, at) => kept[at - start] ?? digit);
  return { boxes: next, focus: Math.min(start + kept.length, OTP_LENGTH - 1) };
}

/** What typing made of a box that held `before`: the digit that is new, whichever side of the old one it was typed. */
export function typed(before: string, now: string): string {
  const digits = digitsOf(now);
  return before && digits.length === 2 ? digits.replace(before, '') || before : digits;
}
