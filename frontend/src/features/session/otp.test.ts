import { describe, expect, it } from 'vitest';

import { extractDigits, enterDigits, replaceDigit } from './otp';

const boxes = (text: string) => [...text].map((digit) => (digit === '·' ? '' : digit));

describe('the digits of a code', () => {
  it.each([
    ['123456', '123456'],
    ['٠١٢٣٤٥', '012345'],
    ['۶۷۸۹', '6789'],
    ['１２３', '123'],
    [' 12 34-56\n', '123456'],
    ['G-482 193 is your code', '482193'],
    ['abc', ''],
  ])('%j are %s', (text, digits) => expect(extractDigits(text)).toBe(digits));
});

describe('entered digits', () => {
  it('one digit fills its box and moves the focus to the next', () => {
    expect(enterDigits(boxes('······'), 0, '4')).toMatchObject({ boxes: boxes('4·····'), focus: 1 });
    expect(enterDigits(boxes('12345·'), 5, '6')).toMatchObject({ boxes: boxes('123456'), focus: 5 });
  });

  it('a complete code fills all six boxes, wherever it is pasted, and further digits are dropped', () => {
    expect(enterDigits(boxes('9·····'), 3, '1234567')).toMatchObject({ boxes: boxes('123456'), focus: 5 });
  });

  it('a part of a code fills the boxes from its own one on', () => {
    expect(enterDigits(boxes('······'), 2, '78')).toMatchObject({ boxes: boxes('··78··'), focus: 4 });
    expect(enterDigits(boxes('111111'), 4, '789')).toMatchObject({ boxes: boxes('111178'), focus: 5 });
  });

  it('complete a code with the last empty box, by pasting, or with the sixth box of another code', () => {
    const completes = (before: string, index: number, digits: string) =>
      enterDigits(boxes(before), index, digits).isComplete;
    expect(completes('12345·', 5, '6')).toBe(true);
    expect(completes('12·456', 2, '3')).toBe(true);
    expect(completes('······', 0, '123456')).toBe(true);
    expect(completes('1234··', 4, '5')).toBe(false);
    // A wrong code is typed over from its first box, and must not be sent with each digit.
    expect(completes('123456', 0, '6')).toBe(false);
    expect(completes('654326', 5, '1')).toBe(true);
  });

  it('a digit typed before or after the old one replaces it', () => {
    expect(replaceDigit('3', '35')).toBe('5');
    expect(replaceDigit('3', '53')).toBe('5');
    expect(replaceDigit('3', '33')).toBe('3');
    expect(replaceDigit('', '٧')).toBe('7');
    expect(replaceDigit('3', '3x')).toBe('3');
    expect(replaceDigit('', '123456')).toBe('123456');
  });
});
