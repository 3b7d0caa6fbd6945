/**
 * The characters of all fonts in crates/fonts: the gap to the previous range and the length of the range less one, in base
 * 36. `printable.node.test.ts` compares them with the fonts.
 */
export const PRINTABLE_RANGES = [
  '0 d j-2n x-k7 3-5 5-6 2 2-j 2-b0 2q-1i 9-q 5-5 c-73 29-1b 6p-u 2-1 7-2v 11c 2gh-e ci-8 3c-6t 6-7u',
  '3-5 3-11 3-5 3-7 2 2 2 2-u 3-1g 2-e 2-d 3-5 2-i 3-2 2-8 2-2s 2-b 3-14 4-u 3 f-w g-27 4-1h 2-1 5-fd',
  '5-18 3-2 2-1h q-a m-4g 2 4 6 4 4 4 4 8 8 8 8 k-s 5-1 5 9 4 4 4 4-3 d-9w 2-3 2-s 2-y 2 2-4 3-1q 4-n',
  '2-d 2-qb 3-v 2-2w 2p-v 9t-2q cw u 5u8-1r hfl-2n 3c-47 2-7 1s-8 mp-1h djw-1 2-1 5-4 1bp fw e9-4 p-p',
  '2-4 2 2-1 2-1 2-3g h-cc 3-1h 8 x-g w-f 1t-4 2-3q 3 2k 2 4c-4 8z-26 2-c 4 1c-19 6b-r 291-u 3j-2',
  '12o1-j d-j d-2e a-o 3s-2c 2-1y 2-1 3 3-1 3-3 2-b 2 2-6 2-1s 2-3 3-7 2-6 2-r 2-3 2-4 2 4-6 2-9f 3-83',
  '3-1d 4ch-3 2-q 2-1 2 3 2-9 2-3 2 2 7 5 2 2 2-2 2-1 2 3 2 2 2 2 2-1 2 3-3 2-6 2-3 2-3 2 2-9 2-g 6-2',
  '2-4 2-g 1h-1 7j-17 5-2r d-e 3-e 2-e 2-10 b-40 b-i 9s-2 6 7 5-b a 1u 5 m-c 8 5-2 k 2 2 4-4 6-c d 4-2',
  '2-2 h d a 7 p 2-1 4-3 3-2 5 n j 12 d 3 6 2 4 9-3 f 5 5-2 4-3 a 2-2 2-1 5 4-3 3 5-1 17-c 5-16 2-p 3-c',
  '2-2d m 1s-1b 8 6 4 3 4 l 5 7-1 2 a-5 2-2 4-4 9-a 6-3 4-5 4-3a 5-2m 7-b l-b 5-1j 9-9 7-13 9-t 3-1',
  '27-b 1c b 56-2b d-d 3-4 4-2 6-6 a-o 8-6 a-2 e-6 16-42 2-1i 12-9',
];

let ranges: [number, number][] | undefined;

function isPrintable(code: number): boolean {
  ranges ??= parseRanges();
  return ranges.some(([first, last]) => code >= first && code <= last);
}

function parseRanges(): [number, number][] {
  let before = 0;
  return PRINTABLE_RANGES.join(' ')
    .split(' ')
    .map((range) => {
      const [gap = 0, length = 0] = range.split('-').map((digits) => parseInt(digits, 36));
      const first = before + gap;
      before = first + length;
      return [first, before];
    });
}

/** Most texts have only Latin and Arabic letters and common signs, so they need no look-up. */
const COMMON = /^[\u0000-\u017f\u0600-\u0669\u2010-\u201f]*$/;

/** Characters that are always printable, or that nobody sees: joiners, directions and variants. */
const HARMLESS = /^[\u0000-\u00ff\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]$/u;

/** Returns the characters of a text that no font has, each once. They are printed as boxes. */
export function unprintableCharacters(text: string): string[] {
  if (COMMON.test(text)) return [];
  const characters = new Set(text.normalize('NFC'));
  return [...characters].filter(
    (character) => !HARMLESS.test(character) && !isPrintable(character.codePointAt(0) ?? 0),
  );
}
