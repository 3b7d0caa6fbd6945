import { describe, expect, it } from 'vitest';

import { digitsOf, placed, typed } from './otp';

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
  ])('%j are %s', (text, digits) => expect(digitsOf(text)).toBe(digits));
});

describe('where digits go', () => {
  it('one goes into its box, and the keyboard to the next', () => {
    expect(placed(boxes('······'), 0, '4')).toEqual({ boxes: boxes('4·····'), focus: 1 });
    expect(placed(boxes('12345·'), 5, '6')).toEqual({ boxes: boxes('123456'), focus: 5 });
  });

  it('a whole code fills all six, wherever it is pasted, and no seventh', () => {
    expect(placed(boxes('9·····'), 3, '1234567')).toEqual({ boxes: boxes('123456'), focus: 5 });
  });

  it('a part goes on from its box and leaves the rest', () => {
    expect(placed(boxes('······'), 2, '78')).toEqual({ boxes: boxes('··78··'), focus: 4 });
    expect(placed(boxes('111111'), 4, '789')).toEqual({ boxes: boxes('111178'), focus: 5 });
  });

  it('typing into a box that has a digit replaces it, before or after', () => {
    expect(typed('3', '35')).toBe('5');
    expect(typed('3', '53')).toBe('5');
    expect(typed('3', '33')).toBe('3');
    expect(typed('', '٧')).toBe('7');
    expect(typed('3', '3x')).toBe('3');
    expect(typed('', '123456')).toBe('123456');
  });
});
